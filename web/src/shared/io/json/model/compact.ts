import type { Json } from './json'

/** Texts may be nested deeper than the call stack allows. */
const deepest = 200

/** JSON in canonical form, so that equivalent texts can be compared: no whitespace, members sorted by name. */
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
