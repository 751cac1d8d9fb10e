import type { Json } from './json'

/** Texts can be deeper than a program may call itself. */
const deepest = 400

/** JSON with one member or element a line, numbers as they are stored, and letters instead of escapes. */
export function pretty(value: Json, indent = ''): string {
  if (indent.length > deepest) return value.raw
  const inner = indent + '  '
  switch (value.kind) {
    case 'object':
      return enclosed(
        '{',
        value.members().map(([name, v]) => `${JSON.stringify(name)}: ${pretty(v, inner)}`),
        '}',
        indent,
      )
    case 'array':
      return enclosed(
        '[',
        value.elements().map((v) => pretty(v, inner)),
        ']',
        indent,
      )
    case 'string':
      return JSON.stringify(value.string)
    case 'number':
    case 'boolean':
    case 'null':
    case 'missing':
      return value.raw
  }
}

function enclosed(open: string, inside: string[], close: string, indent: string): string {
  if (inside.length === 0) return open + close
  return `${open}\n${indent}  ${inside.join(`,\n${indent}  `)}\n${indent}${close}`
}
