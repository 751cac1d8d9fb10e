import type { ComparedItem, ComparedMeasure, ComparedRun } from '../api/useComparison'

/** The items as CSV: a line for each, and columns for the outputs and measures of each run. */
export function toCsv(
  runs: readonly ComparedRun[],
  measures: readonly ComparedMeasure[],
  items: readonly ComparedItem[],
): string {
  const head = [
    'item',
    'input',
    'expected',
    ...runs.flatMap((run, n) => {
      const name = `${n + 1} ${run.name || run.id}`
      return [`${name}: output`, ...measures.map(({ key }) => `${name}: ${key}`)]
    }),
  ]
  const lines = items.map((item) => [
    item.itemId,
    item.input?.text ?? '',
    item.expected?.text ?? '',
    ...runs.flatMap((_, n) => {
      const cell = item.cells[n]
      return [
        (cell?.attempts ?? []).map(({ output }) => output?.text ?? '').join('\n'),
        ...measures.map(({ key }) => {
          const score = cell?.scores.find((each) => each.key === key)
          return String(score?.mean ?? score?.label ?? '')
        }),
      ]
    }),
  ])
  return `${[head, ...lines].map((line) => line.map(quoted).join(',')).join('\r\n')}\r\n`
}

/** Spreadsheets take texts that start like a formula for one; an apostrophe keeps them texts. Numbers stay numbers. */
function quoted(text: string): string {
  const isNumber = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
