import { endless, maxRowLength, tooLong, type FileRow, type RowReader } from './csv'

/** Reads a JSON object per line. Whether it is one is up to the server, which names the rows that are not. */
export function jsonLinesReader(): RowReader {
  let rest = ''
  let line = 0
  let isOver = false
  return {
    push: (text, isEnd) => {
      if (isOver) return []
      const lines = (rest + text).split('\n')
      rest = isEnd ? '' : (lines.pop() ?? '')
      const rows: FileRow[] = []
      for (const each of lines) {
        line += 1
        if (each.length > maxRowLength) rows.push({ line, problem: tooLong })
        else if (each.trim() !== '') rows.push({ line, json: each.trim() })
      }
      isOver = rest.length > maxRowLength
      if (isOver) rows.push({ line: line + 1, problem: endless })
      return rows
    },
  }
}

/** Reads the elements of a JSON list as they are written: nothing is parsed, so numbers keep their digits. */
export function jsonListReader(): RowReader {
  let rest = ''
  let line = 1
  let hasBegun = false
  let isOver = false
  return {
    push: (text, isEnd) => {
      if (isOver) return []
      rest += text
      const rows: FileRow[] = []
      let at = 0
      while (!isOver) {
        if (!hasBegun) {
          at = skip(rest, at, ' \t\r\n')
          hasBegun = at < rest.length // the bracket that begins the list
          line += linesIn(rest, 0, at)
          if (hasBegun) at += 1
        }
        const start = skip(rest, at, ' \t\r\n,')
        line += linesIn(rest, at, start)
        at = start
        if (at === rest.length) break
        if (rest[at] === ']') {
          isOver = true
          if (rest.slice(at + 1).trim() !== '')
            rows.push({ line, problem: 'There is text after the end of the list.' })
          break
        }
        const end = endOfElement(rest, at) ?? (isEnd ? rest.length : undefined)
        if (end === undefined) break
        if (end === at) {
          isOver = true
          rows.push({ line, problem: 'The list is damaged here. What follows was not read.' })
          break
        }
        const json = rest.slice(at, end).trim()
        rows.push(json.length > maxRowLength ? { line, problem: tooLong } : { line, json })
        line += linesIn(rest, at, end)
        at = end
      }
      rest = rest.slice(at)
      if (!isOver && rest.length > maxRowLength) {
        isOver = true
        rows.push({ line, problem: endless })
      }
      if (isEnd && !isOver) rows.push({ line, problem: 'The list has no end.' })
      return rows
    },
  }
}

function linesIn(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1))
    lines += 1
  return lines
}

/** The first place from an offset on that has none of these characters. */
function skip(text: string, from: number, characters: string): number {
  let at = from
  while (at < text.length && characters.includes(text.charAt(at))) at += 1
  return at
}

/** Where an element ends, at a comma or at the end of the list; undefined if the text ends before. */
function endOfElement(text: string, from: number): number | undefined {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      at = endOfString(text, at)
      if (at < 0) return undefined
    } else if (code === 0x7b || code === 0x5b) depth += 1
    else if (code === 0x7d || code === 0x5d) {
      if (depth === 0) return at
      depth -= 1
    } else if (code === 0x2c && depth === 0) return at
  }
  return undefined
}

/** Where the closing quote of a string is; -1 if the text ends before. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return -1
}
