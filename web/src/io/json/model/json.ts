import { buildIndex, kind, none, type JsonIndex } from './buildIndex'
import { decodeKey, decodeString } from './strings'

export type JsonDocument = { text: string; index: JsonIndex }

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'missing'

const names: JsonKind[] = ['object', 'array', 'string', 'number', 'boolean', 'boolean', 'null']

/** A value of a JSON text, read when it is asked for. A value that is not there has the kind "missing" and nothing in it. */
export class Json {
  constructor(
    readonly document: JsonDocument,
    readonly node: number,
  ) {}

  /** Reads a text, or returns undefined if it is not JSON. */
  static parse(text: string, mayBeCut = false): Json | undefined {
    const index = buildIndex(text, mayBeCut)
    return index && new Json({ text, index }, 0)
  }

  get kind(): JsonKind {
    return names[this.document.index.kinds[this.node] ?? -1] ?? 'missing'
  }

  get isObject(): boolean {
    return this.kind === 'object'
  }

  get isArray(): boolean {
    return this.kind === 'array'
  }

  get isString(): boolean {
    return this.kind === 'string'
  }

  get isTrue(): boolean {
    return this.document.index.kinds[this.node] === kind.true
  }

  /** It is there and not null. */
  get exists(): boolean {
    return this.kind !== 'missing' && this.kind !== 'null'
  }

  /** The member of this name; the last one if there are several. */
  get(name: string): Json {
    const { text } = this.document
    const { keys } = this.document.index
    let found = none
    if (this.isObject)
      for (const node of this.nodes()) {
        const at = keys[node] ?? none
        if (startsLike(text, at + 1, name) && decodeKey(text, at) === name) found = node
      }
    return this.at(found)
  }

  /** The first of some members that is there and not null. */
  first(...names: string[]): Json {
    for (const name of names) {
      const value = this.get(name)
      if (value.exists) return value
    }
    return this.at(none)
  }

  /** A string's content; undefined for everything else. */
  get string(): string | undefined {
    if (!this.isString) return undefined
    const { starts, ends } = this.document.index
    return decodeString(this.document.text, starts[this.node] ?? 0, ends[this.node] ?? 0)
  }

  /** The value exactly as it is stored. */
  get raw(): string {
    const { starts, ends } = this.document.index
    return this.kind === 'missing'
      ? ''
      : this.document.text.slice(starts[this.node] ?? 0, ends[this.node] ?? 0)
  }

  /** A string's content, and anything else as it is stored. */
  get asText(): string {
    return this.string ?? this.raw
  }

  /** A string that has JSON in it as that JSON; anything else as it is. */
  get unwrapped(): Json {
    const text = this.string
    return text !== undefined && /^\s*[[{]/.test(text) ? (Json.parse(text) ?? this) : this
  }

  elements(): Json[] {
    return this.isArray ? Array.from(this.nodes(), (node) => this.at(node)) : []
  }

  members(): [string, Json][] {
    const { keys } = this.document.index
    if (!this.isObject) return []
    return Array.from(this.nodes(), (node) => [
      decodeKey(this.document.text, keys[node] ?? 0),
      this.at(node),
    ])
  }

  private at(node: number): Json {
    return new Json(this.document, node)
  }

  private *nodes(): Generator<number> {
    const { afters } = this.document.index
    const end = afters[this.node] ?? 0
    for (let node = this.node + 1; node < end; node = afters[node] ?? end) yield node
  }
}

/** A quick look that rules most names out: the first letter differs and is not written as an escape. */
function startsLike(text: string, at: number, name: string): boolean {
  const code = text.charCodeAt(at)
  return code === name.charCodeAt(0) || code === 0x5c || name === ''
}
