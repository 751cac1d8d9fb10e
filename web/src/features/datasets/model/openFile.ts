import { columnsOf, maxColumns, type Columns } from './mapping'
import type { FileRow } from './csv'
import { kindOf, readFile, UnreadableFile, type FileKind } from './readFile'

/** A file of which the beginning has been read: its columns and its first rows, without the names of columns. */
export type OpenedFile = { kind: FileKind; columns: Columns; rows: FileRow[] }

/** So many rows tell which columns a file of objects has. */
const rowsRead = 100

/** Reads the beginning of a file, or says why it cannot be imported. */
export async function openFile(file: File): Promise<OpenedFile | { problem: string }> {
  const kind = kindOf(file.name)
  const rows: FileRow[] = []
  try {
    for await (const part of readFile(file)) {
      rows.push(...part.rows.slice(0, rowsRead))
      if (rows.length >= rowsRead) break
    }
  } catch (error) {
    return { problem: error instanceof UnreadableFile ? error.message : 'The file cannot be read.' }
  }
  const columns = columnsOf(kind, rows)
  if (columns.length === 0)
    return { problem: rows.find(({ problem }) => problem)?.problem ?? 'The file has no columns.' }
  if (columns.length > maxColumns)
    return {
      problem: `The file has ${columns.length} columns, and ${maxColumns} can be imported.`,
    }
  const header = kind === 'csv' ? rows.findIndex(({ cells }) => cells !== undefined) : -1
  return { kind, columns, rows: rows.slice(header + 1) }
}
