import type { Query } from './query'

const textual = new Set(['input', 'output'])
const positive = new Set(['matches', 'contains', 'starts with', 'ends with', '='])

/** The server takes no longer text to find in a trace. */
const longest = 200

/** The text that a query looks for in inputs and outputs, to be found in the traces that it leads to. */
export function termOf({ search, conditions }: Query): string | undefined {
  const asked = conditions.find(
    ({ column, operator }) => textual.has(column) && positive.has(operator),
  )
  const term = search.trim() || (typeof asked?.value === 'string' ? asked.value.trim() : '')
  return term === '' || term.length > longest ? undefined : term
}
