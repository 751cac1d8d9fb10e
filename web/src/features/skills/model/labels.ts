/** The labels in a text, separated by commas, and why they cannot be given. */
export function labelsIn(text: string): { labels: string[]; problem: string | undefined } {
  const labels = [...new Set(text.split(',').map((each) => each.trim()))].filter(
    (label) => label !== '',
  )
  return { labels, problem: labels.map(problemOf).find((problem) => problem !== undefined) }
}

function problemOf(label: string): string | undefined {
  if (label === 'latest') return 'The newest version has the label latest by itself.'
  if (label.length > 36) return 'A label has at most 36 characters.'
  return /^[a-z0-9_\-.]+$/.test(label)
    ? undefined
    : 'A label consists of lower-case letters, digits, underscores, hyphens and dots.'
}
