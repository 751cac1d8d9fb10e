import type { UiComponents } from '@/shared/api'
import { Json } from '@/shared/io'
import { countOf } from '@/shared/lib/format'
import type { FileRow } from './csv'
import type { Mapping } from './mapping'
import type { FileKind, FilePart } from './readFile'

type Request = UiComponents['schemas']['DatasetImport']
type Answer = UiComponents['schemas']['DatasetImported']

/** What is imported of a file, and how. */
export type Import = {
  kind: FileKind
  columns: readonly string[]
  mapping: Mapping
  cells: 'json' | 'text'
}

/** What became, or would become, of a file so far. */
export type Report = {
  created: number
  changed: number
  unchanged: number
  refused: number
  /** The first of the refused rows. */
  reasons: { line: number; reason: string }[]
}

export const nothingYet: Report = {
  created: 0,
  changed: 0,
  unchanged: 0,
  refused: 0,
  reasons: [],
}

/** A report names so many refused rows. */
export const maxReasons = 10_000

/** The limits of a request, in rows and characters. */
export const rowsAtOnce = 1000
const lengthAtOnce = 2_000_000

/** The request for some rows. The names of the columns are in the first row of a file of cells. */
export function requestFor(
  { kind, columns, mapping, cells }: Import,
  rows: readonly FileRow[],
  isDryRun: boolean,
  previews = 0,
): Request {
  return {
    dryRun: isDryRun,
    previews,
    cells,
    ...(kind === 'csv' && { columns: [...columns] }),
    mapping,
    rows: rows.map((row) => row.cells ?? row.json ?? ''),
  }
}

type Run = {
  parts: AsyncIterable<FilePart>
  what: Import
  isDryRun: boolean
  send: (request: Request) => Promise<Answer>
  /** Called after each request. */
  onProgress: (report: Report, read: number) => void
  signal: AbortSignal
}

/** Sends a file in parts, one after the other. It stops between two of them when the signal is aborted. */
export async function runImport(run: Run): Promise<Report> {
  const { parts, what, isDryRun, send, onProgress, signal } = run
  const report: Report = { ...nothingYet, reasons: [] }
  const refuse = (line: number, reason: string) => {
    report.refused += 1
    if (report.reasons.length < maxReasons) report.reasons.push({ line, reason })
  }
  const lines = new Map<string, number>()
  let waiting: FileRow[] = []
  let length = 0
  let skipsHeader = what.kind === 'csv'
  const flush = async () => {
    if (waiting.length === 0) return
    const rows = waiting
    waiting = []
    length = 0
    const answer = await send(requestFor(what, rows, isDryRun))
    report.created += answer.created
    report.changed += answer.changed
    report.unchanged += answer.unchanged
    for (const { row, reason } of answer.refused) refuse(rows[row]?.line ?? 0, reason)
  }
  for await (const { rows, read } of parts) {
    for (const row of rows) {
      if (signal.aborted) return finished(report)
      if (skipsHeader && row.cells) {
        skipsHeader = false
        continue
      }
      if (row.problem !== undefined) {
        refuse(row.line, row.problem)
        continue
      }
      const id = idOf(what, row)
      const earlier = id === undefined ? undefined : lines.get(id)
      if (earlier !== undefined) {
        refuse(row.line, `Line ${earlier} has the same id.`)
        continue
      }
      if (id !== undefined) lines.set(id, row.line)
      const size = lengthOf(row)
      if (waiting.length === rowsAtOnce || length + size > lengthAtOnce) await flush()
      waiting.push(row)
      length += size
    }
    onProgress(finished(report), read)
  }
  if (!signal.aborted) await flush()
  return finished(report)
}

/** The report with its reasons in the order of the file. */
function finished(report: Report): Report {
  return { ...report, reasons: report.reasons.toSorted((a, b) => a.line - b.line) }
}

function lengthOf(row: FileRow): number {
  return row.json?.length ?? row.cells?.reduce((sum, cell) => sum + cell.length + 3, 0) ?? 0
}

/** The id of a row, if ids are in the file; an empty one is left to the server, which refuses it. */
function idOf({ columns, mapping, kind }: Import, row: FileRow): string | undefined {
  if (mapping.id === undefined) return undefined
  const id =
    kind === 'csv'
      ? row.cells?.[columns.indexOf(mapping.id)]
      : Json.parse(row.json ?? '')?.get(mapping.id).asText
  return id === '' ? undefined : id
}

/** A line per refused row, as a file. */
export function reasonsText({ reasons, refused }: Report): string {
  const lines = reasons.map(({ line, reason }) => `Line ${line}: ${reason}`)
  if (refused > reasons.length) lines.push(`… and ${refused - reasons.length} more`)
  return `${lines.join('\n')}\n`
}

/** What a report says, in sentences. */
export function reportText(report: Report, isDryRun: boolean): string {
  const { created, changed, unchanged, refused } = report
  const parts = [
    created > 0 &&
      (isDryRun
        ? countOf(created, 'item is new', 'items are new')
        : countOf(created, 'item was added', 'items were added')),
    changed > 0 &&
      (isDryRun
        ? countOf(changed, 'item is changed', 'items are changed')
        : countOf(changed, 'item was changed', 'items were changed')),
    unchanged > 0 && countOf(unchanged, 'item was there already', 'items were there already'),
    refused > 0 && countOf(refused, 'row is refused', 'rows are refused'),
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'The file has no rows.' : `${parts.join('; ')}.`
}
