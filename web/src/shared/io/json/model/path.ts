import { kind, none } from './buildIndex'
import type { JsonDocument } from './json'
import { ancestors } from './rows'
import { decodeKey } from './strings'

/** The path of a value: `$.messages[0]["first name"]`, as in JSONPath and most languages. */
export function pathOf({ text, index }: JsonDocument, node: number): string {
  const steps = [...ancestors(index, node), node].slice(1).map((each) => {
    const key = index.keys[each] ?? none
    if (key === none) return `[${index.positions[each] ?? 0}]`
    const name = decodeKey(text, key)
    return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
  })
  return '$' + steps.join('')
}

/** The label of a value in its row: the name of a member, or the index of an element. */
export function labelOf({ text, index }: JsonDocument, node: number): string | undefined {
  const key = index.keys[node] ?? none
  if (key !== none) return decodeKey(text, key)
  const parent = index.parents[node] ?? none
  if (parent === none || index.kinds[parent] !== kind.array) return undefined
  return String(index.positions[node] ?? 0)
}
