import { expect, test } from 'vitest'
import { columnNames, csvReader, maxRowLength, separatorOf, type RowReader } from './csv'
import { jsonLinesReader, jsonListReader } from './jsonRows'
import { maxReasons, reasonsText, reportText, runImport, type Import } from './importRun'
import { columnsOf, guessTargets, mappingOf, mappingProblem, withTarget } from './mapping'
import { openFile } from './openFile'
import { readFile, UnreadableFile } from './readFile'

/** The rows of a text that arrives in pieces of every length; they must not depend on it. */
function rowsOf(reader: () => RowReader, text: string) {
  const [whole, ...others] = [text.length, 1, 2, 3, 7].map((length) => {
    const to = reader()
    const rows = []
    for (let at = 0; at < text.length; at += length)
      rows.push(...to.push(text.slice(at, at + length), at + length >= text.length))
    return rows
  })
  for (const other of others) expect(other).toEqual(whole)
  return whole
}

test('CSV with quotes, line ends within cells, and lines that are counted', () => {
  expect(rowsOf(() => csvReader(), 'a,b\r\n"x, ""y""\nz",1\r\n\r\n,"",\r\nlast,')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x, "y"\nz', '1'] },
    { line: 5, cells: ['', '', ''] },
    { line: 6, cells: ['last', ''] },
  ])
})

test('what is wrong with CSV concerns one row, if it can', () => {
  expect(rowsOf(() => csvReader(), 'a\n"x" y\nz "q"\n"never\nclosed')).toEqual([
    { line: 1, cells: ['a'] },
    { line: 2, problem: 'There is text after a closing quote.' },
    { line: 3, cells: ['z "q"'] },
    { line: 4, problem: 'A quote is opened and never closed.' },
  ])
})

test('a row without an end is not kept in memory', () => {
  const reader = csvReader()
  reader.push('a\n"', false)
  const [row] = reader.push('x'.repeat(maxRowLength), false)
  expect(row?.line).toBe(2)
  expect(row?.problem).toContain('What follows was not read')
  expect(reader.push('y\n', true)).toEqual([])
  const lines = jsonLinesReader()
  expect(lines.push('x'.repeat(maxRowLength + 1), false)).toHaveLength(1)
  expect(lines.push('\n{}\n', true)).toEqual([])
  expect(jsonListReader().push(`["${'x'.repeat(maxRowLength)}`, false)).toHaveLength(1)
})

test('separators and names of columns', () => {
  expect(separatorOf('a;b;"c,d,e"')).toBe(';')
  expect(separatorOf('a\tb')).toBe('\t')
  expect(separatorOf('a')).toBe(',')
  expect(rowsOf(() => csvReader(), 'a;b\n1,5;2')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['1,5', '2'] },
  ])
  expect(columnNames(['a', ' a ', '', '__proto__'])).toEqual([
    'a',
    'a (2)',
    'Column 3',
    '__proto__',
  ])
})

test('JSON lines are sent as they are written', () => {
  expect(rowsOf(jsonLinesReader, '{"a":1.50}\r\n\n not json\n{"b":2}')).toEqual([
    { line: 1, json: '{"a":1.50}' },
    { line: 3, json: 'not json' },
    { line: 4, json: '{"b":2}' },
  ])
})

test('elements of a list are sent as they are written', () => {
  const text = ' [\n{"a":"],\\"{"},\n [1,\n2] , 12345678901234567890, "\\\\"\n]\n'
  expect(rowsOf(jsonListReader, text)).toEqual([
    { line: 2, json: '{"a":"],\\"{"}' },
    { line: 3, json: '[1,\n2]' },
    { line: 4, json: '12345678901234567890' },
    { line: 4, json: '"\\\\"' },
  ])
  expect(rowsOf(jsonListReader, '[]')).toEqual([])
  expect(rowsOf(jsonListReader, '[{"a":1},')).toEqual([
    { line: 1, json: '{"a":1}' },
    { line: 1, problem: 'The list has no end.' },
  ])
  expect(rowsOf(jsonListReader, '[}')).toEqual([
    { line: 1, problem: 'The list is damaged here. What follows was not read.' },
  ])
})

test('columns are guessed by their names', () => {
  expect(guessTargets(['Question', 'Expected Output', 'meta', 'ID', 'item_id'])).toEqual({
    Question: 'input',
    'Expected Output': 'expectedOutput',
    meta: 'none',
    ID: 'id',
    item_id: 'none',
  })
  expect(guessTargets(['constructor', 'answer'])).toEqual({
    constructor: 'input',
    answer: 'expectedOutput',
  })
  const names = ['a', 'b', '__proto__']
  const targets = withTarget(withTarget(guessTargets(names), 'b', 'id'), '__proto__', 'id')
  expect(mappingOf(names, targets)).toEqual({
    id: '__proto__',
    input: ['a'],
    expectedOutput: [],
    metadata: [],
  })
  expect(mappingProblem({ input: [] })).toBe('Choose the column that is the input.')
  expect(mappingProblem({ id: 'a' })).toBe('Choose what is imported.')
  expect(mappingProblem({ id: 'a', metadata: ['b'] })).toBeUndefined()
  expect(
    columnsOf('json', [
      { line: 1, json: '{"a":1,"b":"x"}' },
      { line: 2, json: '{"c":[]}' },
    ]),
  ).toEqual([
    { name: 'a', example: '1' },
    { name: 'b', example: 'x' },
    { name: 'c', example: '[]' },
  ])
})

test('files in UTF-8 and UTF-16, and others, which are refused', async () => {
  const rows = async (file: File) => {
    const all = []
    for await (const part of readFile(file)) all.push(...part.rows)
    return all
  }
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('é\nx')])
  expect(await rows(new File([marked], 'a.csv'))).toEqual([
    { line: 1, cells: ['é'] },
    { line: 2, cells: ['x'] },
  ])
  const wide = new Uint8Array([0xff, 0xfe, 0xe9, 0, 0x3b, 0, 0x62, 0])
  expect(await rows(new File([wide], 'a.csv'))).toEqual([{ line: 1, cells: ['é', 'b'] }])
  const latin = new File([new Uint8Array([0xe9, 0x0a])], 'a.csv')
  await expect(rows(latin)).rejects.toThrow(UnreadableFile)
  expect(await openFile(latin)).toEqual({
    problem: 'The file is not text in UTF-8. Save it with this encoding.',
  })
  expect(await openFile(new File([''], 'a.csv'))).toEqual({ problem: 'The file has no columns.' })
  expect(await openFile(new File(['[{"q":1}]'], 'a.json'))).toEqual({
    kind: 'json',
    columns: [{ name: 'q', example: '1' }],
    rows: [{ line: 1, json: '{"q":1}' }],
  })
  expect(await openFile(new File(['q,a\n1,2'], 'a.csv'))).toEqual({
    kind: 'csv',
    columns: [
      { name: 'q', example: '1' },
      { name: 'a', example: '2' },
    ],
    rows: [{ line: 2, cells: ['1', '2'] }],
  })
})

const what: Import = {
  kind: 'csv',
  columns: ['key', 'q'],
  mapping: { id: 'key', input: ['q'] },
  cells: 'json',
}

async function* oneFile(text: string) {
  yield { rows: csvReader().push(text, true), read: text.length }
}

test('a file is sent in parts, and refused rows are named by their lines', async () => {
  const text = [
    'key,q',
    ...Array.from({ length: 1500 }, (_, n) => `k${n},x`),
    'k3,again',
    '"',
  ].join('\n')
  const sent: number[] = []
  const report = await runImport({
    parts: oneFile(text),
    what,
    isDryRun: true,
    send: (request) => {
      expect(request).toMatchObject({ dryRun: true, columns: ['key', 'q'], cells: 'json' })
      sent.push(request.rows.length)
      return Promise.resolve({
        created: request.rows.length - 1,
        changed: 0,
        unchanged: 0,
        refused: [{ row: 1, reason: 'bad' }],
        previews: [],
      })
    },
    onProgress: () => {},
    signal: new AbortController().signal,
  })
  expect(sent).toEqual([1000, 500])
  expect(report).toEqual({
    created: 1498,
    changed: 0,
    unchanged: 0,
    refused: 4,
    reasons: [
      { line: 3, reason: 'bad' },
      { line: 1003, reason: 'bad' },
      { line: 1502, reason: 'Line 5 has the same id.' },
      { line: 1503, reason: 'A quote is opened and never closed.' },
    ],
  })
  expect(reportText(report, true)).toBe('1,498 items are new; 4 rows are refused.')
  expect(reasonsText({ ...report, refused: maxReasons + 1 })).toContain('… and 9997 more')
})

test('an import that is stopped sends nothing more', async () => {
  const abort = new AbortController()
  let sent = 0
  const text = `key,q\n${Array.from({ length: 2500 }, (_, n) => `k${n},x`).join('\n')}`
  const report = await runImport({
    parts: oneFile(text),
    what,
    isDryRun: false,
    send: ({ rows }) => {
      sent += 1
      abort.abort()
      return Promise.resolve({
        created: rows.length,
        changed: 0,
        unchanged: 0,
        refused: [],
        previews: [],
      })
    },
    onProgress: () => {},
    signal: abort.signal,
  })
  expect([sent, report.created]).toEqual([1, 1000])
  expect(reportText({ ...report, created: 0 }, false)).toBe('The file has no rows.')
})
