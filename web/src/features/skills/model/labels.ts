import { labelProblem } from '@/shared/prompts'

/** The labels in a text, separated by commas, and why they cannot be given. */
export function labelsIn(text: string): { labels: string[]; problem: string | undefined } {
  const labels = [...new Set(text.split(',').map((each) => each.trim()))].filter(
    (label) => label !== '',
  )
  return { labels, problem: labels.map(labelProblem).find((problem) => problem !== undefined) }
}
