import { Json } from './json'

/** Texts may be nested deeper than the call stack allows. */
const deepest = 400

/** JSON with one member or element per line, numbers as stored, and characters instead of escapes. */
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

/** A JSON text in this form; undefined if the text is not JSON. Nothing is parsed as a number, so digits are kept. */
export function prettyText(text: string): string | undefined {
  const value = Json.parse(text)
  return value && pretty(value)
}

function enclosed(open: string, inside: string[], close: string, indent: string): string {
  if (inside.length === 0) return open + close
  return `${open}\n${indent}  ${inside.join(`,\n${indent}  `)}\n${indent}${close}`
}
