import { Json } from '@/shared/io'

/** Two texts as they are compared, and what that hides. */
export type Readable = {
  before: string
  after: string
  /** Both are JSON, and only the order of some names differs there: they are shown in the order of the first. */
  isReordered: boolean
}

/**
 * JSON with one entry per line, numbers with all their digits, and names in the order of the first text, so that entries
 * that only moved are not shown as changed. Anything else is compared as it is.
 */
export function readable(before: string, after: string): Readable {
  const a = parse(before)
  const b = parse(after)
  if (!a || !b) return { before: textOf(a, before), after: textOf(b, after), isReordered: false }
  if (a.isString && b.isString)
    return { before: a.string ?? before, after: b.string ?? after, isReordered: false }
  const print = new Printer()
  return { before: print.text(a), after: print.text(b, a), isReordered: print.isReordered }
}

/** Deeper values are written on one line. */
const deepest = 200

class Printer {
  isReordered = false

  /** A value on lines of its own, its names in the order of another value. */
  text(value: Json, like?: Json, indent = ''): string {
    if (indent.length > deepest * 2) return value.raw
    const inner = `${indent}  `
    if (value.isObject) {
      const members = this.ordered(value.members(), like?.isObject ? like.members() : [])
      const lines = members.map(
        ([name, each, other]) => `${JSON.stringify(name)}: ${this.text(each, other, inner)}`,
      )
      return enclosed('{', lines, '}', indent)
    }
    if (value.isArray) {
      const others = like?.isArray ? like.elements() : []
      const lines = value.elements().map((each, at) => this.text(each, others[at], inner))
      return enclosed('[', lines, ']', indent)
    }
    return value.isString ? JSON.stringify(value.string) : value.raw
  }

  /** Members in the order of others, each with its counterpart; the rest follows what it followed. */
  private ordered(
    members: readonly [string, Json][],
    others: readonly [string, Json][],
  ): [string, Json, Json | undefined][] {
    const places = new Map<string, number[]>()
    for (const [at, [name]] of others.entries()) places.set(name, [...(places.get(name) ?? []), at])
    let last = -1
    const placed = members.map(([name, value], index) => {
      const place = places.get(name)?.shift()
      if (place !== undefined) {
        if (place < last) this.isReordered = true
        last = place
      }
      return {
        name,
        value,
        other: place === undefined ? undefined : others[place]?.[1],
        at: place ?? last + 0.5,
        index,
      }
    })
    return placed
      .sort((x, y) => x.at - y.at || x.index - y.index)
      .map(({ name, value, other }) => [name, value, other])
  }
}

function parse(text: string): Json | undefined {
  return /^\s*["[{]/.test(text) ? Json.parse(text) : undefined
}

function textOf(value: Json | undefined, text: string): string {
  return value ? (value.string ?? new Printer().text(value)) : text
}

function enclosed(open: string, inside: string[], close: string, indent: string): string {
  if (inside.length === 0) return open + close
  return `${open}\n${indent}  ${inside.join(`,\n${indent}  `)}\n${indent}${close}`
}
