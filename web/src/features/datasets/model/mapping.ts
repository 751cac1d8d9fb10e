import type { UiComponents } from '@/shared/api'
import { Json } from '@/shared/io'
import { columnNames, type FileRow } from './csv'
import type { FileKind } from './readFile'

export type Mapping = UiComponents['schemas']['DatasetImportMapping']

/** What a column becomes. */
export type Target = 'input' | 'expectedOutput' | 'metadata' | 'id' | 'none'

/** The columns of a file, each with a value as an example. */
export type Columns = { name: string; example: string }[]

/** The server takes no more columns. */
export const maxColumns = 500
const exampleLength = 80

/** The columns of a file by its first rows; those of CSV are in the first row. */
export function columnsOf(kind: FileKind, rows: readonly FileRow[]): Columns {
  if (kind === 'csv') {
    const [header, first] = rows.flatMap(({ cells }) => (cells ? [cells] : []))
    return columnNames(header ?? []).map((name, at) => ({
      name,
      example: (first?.[at] ?? '').slice(0, exampleLength),
    }))
  }
  const found = new Map<string, string>()
  for (const { json } of rows)
    for (const [name, value] of (json === undefined ? undefined : Json.parse(json))?.members() ??
      [])
      if (!found.has(name)) found.set(name, value.asText.slice(0, exampleLength))
  return Array.from(found, ([name, example]) => ({ name, example }))
}

const usual: Record<string, Target> = {
  id: 'id',
  itemid: 'id',
  input: 'input',
  inputs: 'input',
  question: 'input',
  prompt: 'input',
  expected: 'expectedOutput',
  expectedoutput: 'expectedOutput',
  output: 'expectedOutput',
  outputs: 'expectedOutput',
  answer: 'expectedOutput',
  groundtruth: 'expectedOutput',
  reference: 'expectedOutput',
  metadata: 'metadata',
}

/** What columns are, judged by their names. If none is called like an input, the first one without a name of its own is. */
export function guessTargets(names: readonly string[]): Record<string, Target> {
  const targets: [string, Target][] = []
  let hasId = false
  for (const name of names) {
    const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
    let target: Target = Object.hasOwn(usual, plain) ? (usual[plain] ?? 'none') : 'none'
    if (target === 'id' && hasId) target = 'none'
    hasId ||= target === 'id'
    targets.push([name, target])
  }
  if (!targets.some(([, target]) => target === 'input')) {
    const first = targets.find(([, target]) => target === 'none')
    if (first) first[1] = 'input'
  }
  return Object.fromEntries(targets)
}

/** The mapping that is sent, in the order of the columns. */
export function mappingOf(names: readonly string[], targets: Record<string, Target>): Mapping {
  const of = (target: Target) => names.filter((name) => targets[name] === target)
  const [id] = of('id')
  return {
    ...(id !== undefined && { id }),
    input: of('input'),
    expectedOutput: of('expectedOutput'),
    metadata: of('metadata'),
  }
}

/** The targets after one was chosen: only one column is the id. */
export function withTarget(
  targets: Record<string, Target>,
  name: string,
  target: Target,
): Record<string, Target> {
  const others =
    target === 'id'
      ? Object.fromEntries(
          Object.entries(targets).map(([each, of]) => [each, of === 'id' ? 'none' : of]),
        )
      : targets
  return { ...others, [name]: target }
}

export function mappingProblem(mapping: Mapping): string | undefined {
  const has = (names: string[] | undefined) => names !== undefined && names.length > 0
  if (has(mapping.input)) return undefined
  if (mapping.id === undefined) return 'Choose the column that is the input.'
  return has(mapping.expectedOutput) || has(mapping.metadata)
    ? undefined
    : 'Choose what is imported.'
}
