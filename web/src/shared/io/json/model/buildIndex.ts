/** The positions of all values in a JSON text. Values are numbered in the order of the text; the root is 0. */
export type JsonIndex = {
  count: number
  /** The kind of each value, one of the numbers in `kind`. */
  kinds: Uint8Array
  /** The offsets of each value in the text. */
  starts: Uint32Array
  ends: Uint32Array
  /** The offset of the quotation mark before a member's name, or `none`. */
  keys: Uint32Array
  /** The object or array that contains a value, or `none`. */
  parents: Uint32Array
  /** The index of a value among its siblings. */
  positions: Uint32Array
  /** The number of members or elements of a value. */
  sizes: Uint32Array
  /** The number of the first value after this one that is not inside it. */
  afters: Uint32Array
  /** The text ends before the value does; what was open then counts as closed. */
  isCut: boolean
}

export const none = 0xffffffff

export const kind = {
  object: 0,
  array: 1,
  string: 2,
  number: 3,
  true: 4,
  false: 5,
  null: 6,
} as const

const literals: [string, number][] = [
  ['true', kind.true],
  ['false', kind.false],
  ['null', kind.null],
  // Python writes these.
  ['NaN', kind.number],
  ['Infinity', kind.number],
  ['-Infinity', kind.number],
]

type State = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'after'

/**
 * Finds every value of a JSON text without creating any of them. If `mayBeCut`, a truncated text is read as far as it
 * goes. Returns undefined if the text is not JSON.
 */
export function buildIndex(text: string, mayBeCut = false): JsonIndex | undefined {
  const into = new Builder(Math.min(Math.max(64, text.length >> 3), 1 << 22))
  let state: State = 'value'
  let at = 0
  let parent = none
  let key = none
  const close = () => {
    into.close(parent, at)
    parent = into.parents[parent] ?? none
    state = 'after'
  }
  for (;;) {
    at = skipSpace(text, at)
    if (at >= text.length) break
    const code = text.charCodeAt(at)
    if (state === 'after') {
      if (parent === none) return undefined // something follows the value
      const isObject = into.kinds[parent] === kind.object
      if (code === 0x2c) {
        state = isObject ? 'key' : 'value'
        at++
      } else if (code === (isObject ? 0x7d : 0x5d)) {
        at++
        close()
      } else return undefined
      continue
    }
    if (state === 'key' || state === 'keyOrEnd') {
      if (code === 0x7d && state === 'keyOrEnd') {
        at++
        close()
        continue
      }
      if (code !== 0x22) return undefined
      const end = stringEnd(text, at)
      if (end === -1) {
        at = text.length
        break
      }
      const colon = skipSpace(text, end)
      if (colon < text.length && text.charCodeAt(colon) !== 0x3a) return undefined
      key = at
      at = colon + 1
      state = 'value'
      continue
    }
    if (code === 0x5d && state === 'valueOrEnd') {
      at++
      close()
      continue
    }
    if (code === 0x7b || code === 0x5b) {
      parent = into.add(code === 0x7b ? kind.object : kind.array, at, none, key, parent)
      state = code === 0x7b ? 'keyOrEnd' : 'valueOrEnd'
      at++
    } else {
      const end = scalarEnd(text, at, code)
      if (end === undefined) {
        if (!mayBeCut || !isBeginOfLiteral(text, at)) return undefined
        at = text.length
        break
      }
      into.add(scalarKind(code, text, at), at, end, key, parent)
      if (end > text.length) {
        at = text.length
        into.ends[into.count - 1] = at
        break
      }
      at = end
      state = 'after'
    }
    key = none
  }
  if (into.count === 0) return undefined
  const isCut = parent !== none || state !== 'after'
  if (isCut && !mayBeCut) return undefined
  for (let open = parent; open !== none; open = into.parents[open] ?? none)
    into.close(open, text.length)
  return into.done(isCut)
}

function skipSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    at++
  }
}

/** The offset after a string's closing quotation mark, or -1 if it has none. */
export function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1) {
    let before = end - 1
    while (text.charCodeAt(before) === 0x5c) before--
    if ((end - before) % 2 === 1) return end + 1
    end = text.indexOf('"', end + 1)
  }
  return -1
}

/** The offset after a string, number or word; beyond the text if a string does not end; undefined for anything else. */
function scalarEnd(text: string, at: number, code: number): number | undefined {
  if (code === 0x22) {
    const end = stringEnd(text, at)
    return end === -1 ? text.length + 1 : end
  }
  if ((code >= 0x30 && code <= 0x39) || (code === 0x2d && text.charCodeAt(at + 1) !== 0x49)) {
    let end = at + 1
    while (isNumeric(text.charCodeAt(end))) end++
    return code === 0x2d && end === at + 1 ? undefined : end
  }
  for (const [word] of literals) if (text.startsWith(word, at)) return at + word.length
  return undefined
}

function isNumeric(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2e ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x45 ||
    code === 0x65
  )
}

function scalarKind(code: number, text: string, at: number): number {
  if (code === 0x22) return kind.string
  if (code >= 0x30 && code <= 0x39) return kind.number
  return literals.find(([word]) => text.startsWith(word, at))?.[1] ?? kind.number
}

function isBeginOfLiteral(text: string, at: number): boolean {
  const rest = text.slice(at, at + 10)
  return literals.some(([word]) => word.startsWith(rest))
}

/** Growable columns. */
class Builder {
  count = 0
  kinds: Uint8Array
  starts: Uint32Array
  ends: Uint32Array
  keys: Uint32Array
  parents: Uint32Array
  positions: Uint32Array
  sizes: Uint32Array
  afters: Uint32Array

  constructor(capacity: number) {
    this.kinds = new Uint8Array(capacity)
    this.starts = new Uint32Array(capacity)
    this.ends = new Uint32Array(capacity)
    this.keys = new Uint32Array(capacity)
    this.parents = new Uint32Array(capacity)
    this.positions = new Uint32Array(capacity)
    this.sizes = new Uint32Array(capacity)
    this.afters = new Uint32Array(capacity)
  }

  add(what: number, start: number, end: number, key: number, parent: number): number {
    const node = this.count++
    if (node === this.kinds.length) this.grow()
    this.kinds[node] = what
    this.starts[node] = start
    this.ends[node] = end
    this.keys[node] = key
    this.parents[node] = parent
    this.afters[node] = this.count
    if (parent !== none) {
      const position = this.sizes[parent] ?? 0
      this.positions[node] = position
      this.sizes[parent] = position + 1
    }
    return node
  }

  close(node: number, end: number) {
    this.ends[node] = end
    this.afters[node] = this.count
  }

  private grow() {
    const capacity = this.kinds.length * 2
    const kinds = new Uint8Array(capacity)
    kinds.set(this.kinds)
    this.kinds = kinds
    this.starts = grown(this.starts, capacity)
    this.ends = grown(this.ends, capacity)
    this.keys = grown(this.keys, capacity)
    this.parents = grown(this.parents, capacity)
    this.positions = grown(this.positions, capacity)
    this.sizes = grown(this.sizes, capacity)
    this.afters = grown(this.afters, capacity)
  }

  done(isCut: boolean): JsonIndex {
    const { count, kinds, starts, ends, keys, parents, positions, sizes, afters } = this
    return { count, kinds, starts, ends, keys, parents, positions, sizes, afters, isCut }
  }
}

function grown(column: Uint32Array, capacity: number): Uint32Array {
  const next = new Uint32Array(capacity)
  next.set(column)
  return next
}
