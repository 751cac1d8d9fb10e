import { csvReader, type FileRow, type RowReader } from './csv'
import { jsonLinesReader, jsonListReader } from './jsonRows'

export const importEndings = ['.csv', '.tsv', '.jsonl', '.ndjson', '.json']
export const maxImportBytes = 1_000_000_000

export type FileKind = 'csv' | 'json'

export function kindOf(name: string): FileKind {
  return /\.(?:csv|tsv)$/i.test(name) ? 'csv' : 'json'
}

/** A part of a file: its rows, and how much of the file has been read. */
export type FilePart = { rows: FileRow[]; read: number }

/** The file cannot be read at all. */
export class UnreadableFile extends Error {}

const pieceBytes = 1 << 20

/** Reads a file piece by piece, so that it may be larger than the memory. */
export async function* readFile(file: File): AsyncGenerator<FilePart> {
  let reader: RowReader | undefined
  let decoder: TextDecoder | undefined
  for (let at = 0; at < file.size || at === 0; at += pieceBytes) {
    const bytes = new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer())
    decoder ??= decoderFor(bytes)
    const isEnd = at + pieceBytes >= file.size
    let text: string
    try {
      text = decoder.decode(bytes, { stream: !isEnd })
    } catch {
      throw new UnreadableFile('The file is not text in UTF-8. Save it with this encoding.')
    }
    reader ??= readerFor(file.name, text)
    yield { rows: reader.push(text, isEnd), read: Math.min(file.size, at + pieceBytes) }
  }
}

/** Spreadsheets also write UTF-16, with a mark at the beginning. */
function decoderFor(bytes: Uint8Array): TextDecoder {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true })
}

function readerFor(name: string, text: string): RowReader {
  if (kindOf(name) === 'csv') return csvReader(/\.tsv$/i.test(name) ? '\t' : undefined)
  return text.trimStart().startsWith('[') ? jsonListReader() : jsonLinesReader()
}
