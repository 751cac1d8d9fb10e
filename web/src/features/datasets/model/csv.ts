/** A row of a file, with the line at which it begins. A row with a problem was not understood. */
export type FileRow = { line: number } & (
  | { cells: string[]; problem?: undefined; json?: undefined }
  | { json: string; problem?: undefined; cells?: undefined }
  | { problem: string; cells?: undefined; json?: undefined }
)

/** Takes a file piece by piece and returns the rows that are complete. */
export type RowReader = { push: (text: string, isEnd: boolean) => FileRow[] }

/** The most characters of a row: the server takes items of up to 4.5 MB. */
export const maxRowLength = 4_000_000

const newline = 10

/** The separator of the cells: of those that are usual, the one that occurs most in the first line. */
export function separatorOf(firstLine: string): string {
  let best = ','
  let most = 0
  for (const separator of [',', ';', '\t']) {
    const count = firstLine.replaceAll(/"[^"]*"/g, '').split(separator).length - 1
    if (count > most) [best, most] = [separator, count]
  }
  return best
}

/** The names of columns: each has one, and no two are equal. */
export function columnNames(header: readonly string[]): string[] {
  const taken = new Set<string>()
  return header.map((text, at) => {
    const name = text.trim() === '' ? `Column ${at + 1}` : text.trim()
    let unique = name
    for (let count = 2; taken.has(unique); count += 1) unique = `${name} (${count})`
    taken.add(unique)
    return unique
  })
}

type CsvRecord = { cells: string[]; problem: string | undefined; end: number; lines: number }

/** Reads CSV as RFC 4180 has it. The separator is guessed from the first line, unless it is known. */
export function csvReader(known?: string): RowReader {
  let rest = ''
  let line = 1
  let separator = known
  let isOver = false
  return {
    push: (text, isEnd) => {
      if (isOver) return []
      rest += text
      if (separator === undefined) {
        const end = rest.indexOf('\n')
        if (end < 0 && !isEnd && rest.length <= maxRowLength) return []
        separator = separatorOf(end < 0 ? rest : rest.slice(0, end))
      }
      const rows: FileRow[] = []
      let at = 0
      while (at < rest.length) {
        const record = readRecord(rest, at, separator.charCodeAt(0), isEnd)
        if (!record) break
        const isBlank = record.cells.length === 1 && record.cells[0] === ''
        if (record.end - at > maxRowLength) rows.push({ line, problem: tooLong })
        else if (record.problem !== undefined) rows.push({ line, problem: record.problem })
        else if (!isBlank) rows.push({ line, cells: record.cells })
        at = record.end
        line += record.lines
      }
      rest = rest.slice(at)
      isOver = rest.length > maxRowLength
      if (isOver) rows.push({ line, problem: endless })
      return rows
    },
  }
}

export const tooLong = 'The row is longer than 4 million characters.'
export const endless = `${tooLong} What follows was not read.`

/** A record from an offset on; undefined if the text ends before the record does. */
function readRecord(
  text: string,
  from: number,
  separator: number,
  isEnd: boolean,
): CsvRecord | undefined {
  const cells: string[] = []
  let problem: string | undefined
  let lines = 0
  let at = from
  for (;;) {
    let cell = ''
    const isQuoted = text.charCodeAt(at) === 34
    if (isQuoted) {
      const quoted = readQuoted(text, at + 1, isEnd)
      if (!quoted) return undefined
      cell = quoted.cell
      at = quoted.end
      if (!quoted.isClosed) problem = 'A quote is opened and never closed.'
      for (let n = cell.indexOf('\n'); n >= 0; n = cell.indexOf('\n', n + 1)) lines += 1
    }
    const start = at
    while (at < text.length) {
      const code = text.charCodeAt(at)
      if (code === separator || code === newline) break
      at += 1
    }
    if (at === text.length && !isEnd) return undefined
    const isLast = at === text.length || text.charCodeAt(at) === newline
    const plainEnd = isLast && at > start && text.charCodeAt(at - 1) === 13 ? at - 1 : at
    const plain = text.slice(start, plainEnd)
    if (isQuoted && plain.trim() !== '') problem ??= 'There is text after a closing quote.'
    cells.push(cell + plain)
    at += 1
    if (isLast) return { cells, problem, end: Math.min(at, text.length), lines: lines + 1 }
  }
}

/** What is between quotes, from the first character on; the end is behind the closing quote. */
function readQuoted(text: string, from: number, isEnd: boolean) {
  let cell = ''
  for (let at = from; ;) {
    const quote = text.indexOf('"', at)
    if (quote < 0)
      return isEnd ? { cell: cell + text.slice(at), end: text.length, isClosed: false } : undefined
    if (quote + 1 === text.length && !isEnd) return undefined // another quote may follow
    cell += text.slice(at, quote)
    if (text.charCodeAt(quote + 1) !== 34) return { cell, end: quote + 1, isClosed: true }
    cell += '"'
    at = quote + 2
  }
}
