import type { Json } from './json'

/** Texts can be deeper than a program may call itself. */
const deepest = 200

/** JSON in one spelling, so that two texts that say the same can be compared: no spaces, members by name. */
export function compact(value: Json, depth = 0): string {
  if (depth > deepest) return value.raw
  switch (value.kind) {
    case 'object': {
      const members = value
        .members()
        .map(([name, v]) => `${JSON.stringify(name)}:${compact(v, depth + 1)}`)
      return `{${members.sort().join(',')}}`
    }
    case 'array':
      return `[${value
        .elements()
        .map((v) => compact(v, depth + 1))
        .join(',')}]`
    case 'string':
      return JSON.stringify(value.string)
    case 'number':
    case 'boolean':
    case 'null':
    case 'missing':
      return value.raw
  }
}
