import { prettyText } from '@/shared/io'
import { mayEdit, type NewScore, type Score } from '@/shared/scoring'

/** Longer outputs, in bytes, are not corrected by hand: the field and the difference would block the page. */
export const longestCorrected = 200_000

/** An output as it is edited: a JSON string as its text, other JSON in lines, anything else as stored. */
export function editableOutput(text: string): string {
  const trimmed = text.trim()
  if (trimmed.startsWith('"'))
    try {
      const value: unknown = JSON.parse(trimmed)
      return typeof value === 'string' ? value : text
    } catch {
      return text
    }
  return /^[[{]/u.test(trimmed) ? (prettyText(text) ?? text) : text
}

type Corrected = { traceId: string; observationId: string | undefined; environment: string }

/** The request that stores a correction. It replaces the one before, unless that is an evaluator's. */
export function correctionOf(
  { traceId, observationId, environment }: Corrected,
  value: string,
  before: Score | undefined,
): NewScore {
  const replaced = before && mayEdit(before) ? before : undefined
  return {
    ...(replaced && { id: replaced.id, comment: replaced.comment ?? null }),
    name: 'output',
    dataType: 'CORRECTION',
    value,
    source: replaced?.source === 'API' ? 'API' : 'ANNOTATION',
    traceId,
    observationId,
    environment: replaced?.environment ?? environment,
  }
}
