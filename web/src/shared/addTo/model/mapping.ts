import type { Json } from '@/shared/io'

/** The parts of an item, and of what it is made. */
export type ItemPart = 'input' | 'expectedOutput' | 'metadata'
export type Source = 'input' | 'output' | 'metadata' | 'nothing'

/** What becomes which part of an item: all of a text, or what is at a path in it. */
export type ItemMapping = Record<ItemPart, { from: Source; path: string }>

/** The whole input, and the whole output as what is expected. */
export const usualMapping: ItemMapping = {
  input: { from: 'input', path: '$' },
  expectedOutput: { from: 'output', path: '$' },
  metadata: { from: 'nothing', path: '$' },
}

type Steps = (string | number)[]

export const maxPath = 1000

/** The steps of a path such as $.messages[-1].content or $["a b"], or what is wrong with it. */
export function readPath(path: string): { steps: Steps } | { problem: string } {
  const text = path.trim()
  if (text === '' || text.length > maxPath) return { problem: 'A path has 1 to 1,000 characters.' }
  if (!text.startsWith('$')) return { problem: 'A path begins with $, which is the whole value.' }
  const step = /\.([^.[\]"'*?()\s]+)|\[(-?\d{1,9})\]|\["([^"\\]*)"\]|\['([^'\\]*)'\]/y
  const steps: Steps = []
  for (step.lastIndex = 1; step.lastIndex < text.length;) {
    const at = step.lastIndex
    const found = step.exec(text)
    if (!found)
      return {
        problem: `“${text.slice(at, at + 20)}” is not understood. Steps are .name, ["name"], [0], and [-1] from the end.`,
      }
    const [, name, index, double, single] = found
    steps.push(index === undefined ? (name ?? double ?? single ?? '') : Number(index))
  }
  return { steps }
}

/** What is at a path, also within text that holds JSON; undefined if there is nothing. */
export function valueAt(value: Json, steps: Steps): Json | undefined {
  let at = value
  for (const step of steps) {
    const inside = at.unwrapped
    if (typeof step === 'string') at = inside.get(step)
    else {
      const next = inside.elements().at(step)
      if (!next) return undefined
      at = next
    }
  }
  return at.kind === 'missing' ? undefined : at
}

/** What is wrong with the paths of a mapping, by part. */
export function mappingProblems(mapping: ItemMapping): Partial<Record<ItemPart, string>> {
  const problems: Partial<Record<ItemPart, string>> = {}
  for (const part of ['input', 'expectedOutput', 'metadata'] as const) {
    const read = readPath(mapping[part].path)
    if (mapping[part].from !== 'nothing' && 'problem' in read) problems[part] = read.problem
  }
  if (mapping.input.from === 'nothing') problems.input = 'An item needs an input.'
  return problems
}
