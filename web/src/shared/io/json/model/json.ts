import { buildIndex, kind, none, type JsonIndex } from './buildIndex'
import { decodeKey, decodeString } from './strings'

export type JsonDocument = { text: string; index: JsonIndex }

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'missing'

const names: JsonKind[] = ['object', 'array', 'string', 'number', 'boolean', 'boolean', 'null']

/** Whether a part of a value may be missing in a shortened text: where the text ends or, if it is whole, anywhere in it. */
export function mayBeCutAt({ text, index }: JsonDocument, node: number): boolean {
  return !index.isCut || index.ends[node] === text.length
}

/** A value of a JSON text, read lazily. A value that does not exist has the kind "missing" and no content. */
export class Json {
  private listed: readonly Json[] | undefined

  constructor(
    readonly document: JsonDocument,
    readonly node: number,
  ) {}

  /** Parses a text; returns undefined if it is not JSON. */
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

  /** Whether the value exists and is not null. */
  get exists(): boolean {
    return this.kind !== 'missing' && this.kind !== 'null'
  }

  /** The member of this name; the last one if there are several. */
  get(name: string): Json {
    const { text, index } = this.document
    let found = none
    if (index.kinds[this.node] === kind.object) {
      const end = index.afters[this.node] ?? 0
      for (let node = this.node + 1; node < end; node = index.afters[node] ?? end)
        if (isNamed(text, index.keys[node] ?? none, name)) found = node
    }
    return this.at(found)
  }

  /** The first of these members that exists and is not null. */
  first(...names: string[]): Json {
    for (const name of names) {
      const value = this.get(name)
      if (value.exists) return value
    }
    return this.at(none)
  }

  /** The content of a string; undefined for anything else. */
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

  /** The content of a string; anything else as stored. */
  get asText(): string {
    return this.string ?? this.raw
  }

  /** The JSON inside a string that contains JSON; anything else unchanged. */
  get unwrapped(): Json {
    const text = this.string
    return text !== undefined && /^\s*[[{]/.test(text) ? (Json.parse(text) ?? this) : this
  }

  /** The elements of an array. They are cached, because many look at the same array. */
  elements(): readonly Json[] {
    this.listed ??= this.isArray ? Array.from(this.nodes(), (node) => this.at(node)) : []
    return this.listed
  }

  /** The number of members or elements. */
  get size(): number {
    return this.document.index.sizes[this.node] ?? 0
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

/**
 * Reports whether a name is written at an offset, with or without escapes. Most are ruled out by their first character.
 */
function isNamed(text: string, at: number, name: string): boolean {
  const code = text.charCodeAt(at + 1)
  if (name !== '' && code !== name.charCodeAt(0) && code !== 0x5c) return false
  if (text.startsWith(name, at + 1) && text.charCodeAt(at + 1 + name.length) === 0x22) return true
  return decodeKey(text, at) === name
}
