import { isKeyed, type Field, type FieldSet } from './fields'
import {
  isColon,
  isQuote,
  isSpace,
  readBare,
  readComparison,
  readQuoted,
  skipSpaces,
  type Comparison,
  type Piece,
  type Span,
} from './lex'

/** An error message for the user, and the position it refers to. */
export type QueryError = Span & { message: string }

/** A value with optional stars: *x* contains, x* begins with, *x ends with. */
export type Pattern = Span & { text: string; quoted: boolean; leading: boolean; trailing: boolean }

export type Value = Span &
  (
    | { kind: 'one'; comparison: Comparison | undefined; pattern: Pattern }
    | { kind: 'list'; join: 'OR' | 'AND'; patterns: Pattern[] }
  )

export type Term = Span &
  (
    | { kind: 'text'; text: string }
    | { kind: 'field'; negated: boolean; field: Field; key: string | undefined; value: Value }
    | { kind: 'has'; negated: boolean; field: Field; key: string | undefined }
    | { kind: 'group'; type: 'all' | 'any' | 'has'; negated: boolean; terms: Term[] }
  )

export type Parsed = { terms: Term[]; errors: QueryError[] }

const reserved = new Set(['!', 'and', 'or', 'not'])

/** Whether a word has a meaning in the grammar, so that it must be quoted to be searched for. */
export function isReserved(word: string): boolean {
  return reserved.has(word.toLowerCase())
}

/** Parses a query. Invalid terms are skipped and reported; the others are parsed anyway. */
export function parseQuery(text: string, fields: FieldSet): Parsed {
  const errors: QueryError[] = []
  const { terms } = readTerms({ text, errors, fields, depth: 0 }, 0)
  return { terms, errors }
}

/** How deep brackets may be nested. */
const maxDepth = 5

/** Text that is being parsed, and in how many brackets. */
type Reading = { text: string; errors: QueryError[]; fields: FieldSet; depth: number }

/** Reads terms up to the end or the closing bracket. Terms next to each other are joined before OR. */
function readTerms(reading: Reading, start: number): { terms: Term[]; end: number } {
  const { text, errors } = reading
  const closing = reading.depth > 0 ? ')' : undefined
  const alternatives: Term[][] = [[]]
  const joins: Span[] = []
  let failed = false
  let at = skipSpaces(text, start)
  while (at < text.length && text[at] !== closing) {
    const word = readBare(text, at, ':：()')
    if (/^(or|and)$/i.test(word.text) && !isColon(text[word.end]) && text[word.end] !== '(') {
      if (word.text.toLowerCase() === 'or') {
        joins.push(word)
        alternatives.push([])
      }
      at = skipSpaces(text, word.end)
      continue
    }
    const parsed: Parsed = { terms: [], errors: [] }
    at = skipSpaces(text, Math.max(readTerm(reading, at, parsed), at + 1))
    alternatives.at(-1)?.push(...parsed.terms)
    errors.push(...parsed.errors)
    failed ||= parsed.errors.length > 0
  }
  const [first = []] = alternatives
  if (joins.length === 0) return { terms: first, end: at }
  const empty = alternatives.findIndex((terms) => terms.length === 0)
  if (empty >= 0) {
    const { start: from, end } = joins[Math.max(0, empty - 1)] ?? { start, end: at }
    const message = 'A condition is missing beside OR. Quote it to search for it.'
    if (!failed) errors.push({ start: from, end, message })
    return { terms: alternatives.flat(), end: at }
  }
  const span = { negated: false, start, end: at }
  const joined = alternatives.map((terms): Term => {
    const [only, another] = terms
    return only && !another ? only : { kind: 'group', type: 'all', terms, ...span }
  })
  return { terms: [{ kind: 'group', type: 'any', terms: joined, ...span }], end: at }
}

/** Reads terms in brackets. */
function readGroup(
  reading: Reading,
  begin: { start: number; bracket: number },
  type: 'all' | 'has',
  negated: boolean,
  parsed: Parsed,
): number {
  const { text, depth } = reading
  const { start, bracket } = begin
  const fail = (end: number, message: string) => {
    parsed.errors.push({ start: bracket, end, message })
    return end
  }
  if (depth === maxDepth) return fail(text.length, 'Brackets are nested too deep.')
  const inner: Reading = { ...reading, errors: parsed.errors, depth: depth + 1 }
  const { terms, end } = readTerms(inner, bracket + 1)
  const isFine = parsed.errors.length === 0
  if (end >= text.length)
    return isFine ? fail(text.length, 'The closing bracket is missing.') : text.length
  if (terms.length === 0 && isFine) return fail(end + 1, 'A condition is missing in the brackets.')
  if (terms.length > 0)
    parsed.terms.push({ kind: 'group', type, negated, terms, start, end: end + 1 })
  return end + 1
}

/** Reads the term that begins here and returns its end. */
function readTerm(reading: Reading, start: number, parsed: Parsed): number {
  const { text, fields, depth } = reading
  const stops = depth > 0 ? ')' : ''
  const fail = (span: Span, message: string): number => {
    parsed.errors.push({ start: span.start, end: span.end, message })
    return span.end
  }
  const negated = text[start] === '-' && text[start + 1] !== undefined && !isSpace(text[start + 1])
  const begin = negated ? start + 1 : start

  if (isQuote(text[begin])) {
    const phrase = readQuoted(text, begin)
    if (!phrase.closed) return fail(phrase, 'The closing quotation mark is missing.')
    if (negated) return fail({ start, end: phrase.end }, notExcludable)
    if (phrase.text.trim() !== '')
      parsed.terms.push({ kind: 'text', text: phrase.text, start, end: phrase.end })
    return phrase.end
  }
  if (text[begin] === '(')
    return readGroup(reading, { start, bracket: begin }, 'all', negated, parsed)

  const name = readName(text, begin)
  if (text[name.end] === '(' || (text[name.end] === ')' && depth === 0)) {
    const end = afterList(text, name.end, name.end + 1)
    return fail(
      { start, end },
      'Brackets are allowed only after a colon: level:(WARNING OR ERROR).',
    )
  }
  if (text[name.end] === '.')
    return fail({ start: name.end + 1, end: text.length }, 'The closing quotation mark is missing.')
  if (!isColon(text[name.end])) return readWord(start, negated, name, parsed, fail)

  const prefix = name.text.toLowerCase()
  if ((prefix === 'has' || prefix === 'none') && text[name.end + 1] === '(')
    return readGroup(
      reading,
      { start, bracket: name.end + 1 },
      'has',
      negated !== (prefix === 'none'),
      parsed,
    )
  if (prefix === 'has') return readHas(text, start, negated, name.end + 1, parsed, fail, fields)

  const target = readTarget(text, begin, fields)
  if ('message' in target) return skipValue(text, fail(target, target.message), stops)
  const value = readValue(text, target.end + 1, stops)
  if ('message' in value) return afterList(text, target.end + 1, fail(value, value.message))
  if (value.start === value.end)
    return fail({ start, end: value.end }, `${target.name} needs a value after the colon.`)
  parsed.terms.push({
    kind: 'field',
    negated,
    field: target.field,
    key: target.key,
    value,
    start,
    end: value.end,
  })
  return value.end
}

/** Reads the part before a colon, whose key may be quoted: metadata."a key". */
function readName(text: string, start: number): Piece {
  const name = readBare(text, start, ':：()')
  const dot = name.text.search(/\.["“„]/)
  if (dot < 0) return name
  const { end, closed } = readQuoted(text, start + dot + 1)
  return closed ? { ...name, text: text.slice(start, end), end } : { ...name, end: start + dot }
}

const notExcludable = 'Text cannot be excluded. Exclude a field: -name:draft.'

type Fail = (span: Span, message: string) => number

function readWord(
  start: number,
  negated: boolean,
  word: Piece,
  parsed: Parsed,
  fail: Fail,
): number {
  const span = { start, end: word.end }
  if (isReserved(word.text))
    return fail(
      span,
      'Put a minus in front of what is to be left out, as in -level:ERROR. Quote it to search for the word.',
    )
  if (negated) return fail(span, notExcludable)
  parsed.terms.push({ kind: 'text', text: word.text, ...span })
  return word.end
}

/** has:field and -has:field. */
function readHas(
  text: string,
  start: number,
  negated: boolean,
  at: number,
  parsed: Parsed,
  fail: Fail,
  fields: FieldSet,
): number {
  const target = readTarget(text, at, fields)
  if ('message' in target) return skipValue(text, fail(target, target.message), ')')
  if (target.end === at) return fail({ start, end: at }, 'has: needs the name of a field.')
  parsed.terms.push({
    kind: 'has',
    negated,
    field: target.field,
    key: target.key,
    start,
    end: target.end,
  })
  return target.end
}

type Target = Span & { name: string; field: Field; key: string | undefined }

/** Reads the name of a field, with a key if the field has keys: level, metadata.customer, metadata."a key". */
function readTarget(text: string, start: number, fields: FieldSet): Target | QueryError {
  const head = readBare(text, start, ':：.()"“„')
  if (head.text === '') return { start, end: start + 1, message: 'The name of a field is missing.' }
  const field = fields.named(head.text)
  if (!field) {
    const whole = readBare(text, start, ':：()')
    const similar = fields.similarTo(head.text)
    return {
      start,
      end: whole.end,
      message: similar
        ? `There is no field “${head.text}”. Do you mean ${similar}?`
        : `There is no field “${head.text}”. Put it in quotation marks to search for it.`,
    }
  }
  if (text[head.end] !== '.') {
    if (isKeyed(field) && isColon(text[head.end]))
      return {
        start,
        end: head.end,
        message: `${field.name} needs a key: ${field.kind === 'scores' ? 'scores.name:>0.8' : 'metadata.key:value'}.`,
      }
    return { start, end: head.end, name: head.text, field, key: undefined }
  }
  const key = isQuote(text[head.end + 1])
    ? readQuoted(text, head.end + 1)
    : readBare(text, head.end + 1, ':：()"')
  if (!key.closed) return { ...key, message: 'The closing quotation mark is missing.' }
  if (!isKeyed(field))
    return { start, end: key.end, message: `${field.name} has no keys: leave out “.${key.text}”.` }
  if (key.text === '') return { start, end: key.end, message: 'The key after the dot is missing.' }
  return { start, end: key.end, name: text.slice(start, key.end), field, key: key.text }
}

/** Skips the value of an invalid term, so that it is not taken for search words. */
function skipValue(text: string, at: number, stops: string): number {
  if (!isColon(text[at])) return at
  return afterList(text, at + 1, readValue(text, at + 1, stops).end)
}

/** The end of an invalid list, so that the rest of it is not taken for search words. */
function afterList(text: string, start: number, end: number): number {
  if (text[start] !== '(') return end
  const close = text.indexOf(')', start)
  return close < 0 ? text.length : close + 1
}

function readValue(text: string, start: number, stops: string): Value | QueryError {
  if (text[start] === '(') return readList(text, start)
  const { comparison, end } = readComparison(text, start)
  const pattern = readPattern(text, end, stops)
  if ('message' in pattern) return pattern
  if (comparison !== undefined && pattern.start === pattern.end)
    return { start, end: pattern.end, message: `A value is missing after “${comparison}”.` }
  return { kind: 'one', comparison, pattern, start, end: pattern.end }
}

function readPattern(text: string, start: number, stops: string): Pattern | QueryError {
  const leading = text[start] === '*'
  const at = leading ? start + 1 : start
  if (isQuote(text[at])) {
    const piece = readQuoted(text, at)
    if (!piece.closed) return { ...piece, message: 'The closing quotation mark is missing.' }
    const trailing = text[piece.end] === '*'
    const end = trailing ? piece.end + 1 : piece.end
    if (end < text.length && !isSpace(text[end]) && !stops.includes(text[end] ?? ' '))
      return {
        start: end,
        end: readBare(text, end, stops).end,
        message: 'A space is missing here.',
      }
    return { text: piece.text, quoted: true, leading, trailing, start, end }
  }
  const piece = readBare(text, at, stops)
  const trailing = piece.text.length > 0 && piece.text.endsWith('*')
  const inner = trailing ? piece.text.slice(0, -1) : piece.text
  if (inner.includes('*'))
    return {
      start,
      end: piece.end,
      message:
        'A star is allowed only at the beginning or the end. Quote the value to mean the star itself.',
    }
  return { text: inner, quoted: false, leading, trailing, start, end: piece.end }
}

/** Reads (A OR B), or (A AND B). */
function readList(text: string, start: number): Value | QueryError {
  const patterns: Pattern[] = []
  let join: 'OR' | 'AND' | undefined
  let at = skipSpaces(text, start + 1)
  for (;;) {
    if (at >= text.length)
      return { start, end: text.length, message: 'The closing bracket is missing.' }
    const pattern = readPattern(text, at, '()')
    if ('message' in pattern) return pattern
    if (pattern.start === pattern.end || (!pattern.quoted && isReserved(pattern.text)))
      return { start: at, end: Math.max(pattern.end, at + 1), message: 'A value is missing here.' }
    patterns.push(pattern)
    at = skipSpaces(text, pattern.end)
    if (text[at] === ')') return { kind: 'list', join: join ?? 'OR', patterns, start, end: at + 1 }
    if (at >= text.length) continue
    const word = readBare(text, at, '()')
    const found = word.text.toUpperCase()
    if (found !== 'OR' && found !== 'AND')
      return {
        start: word.start,
        end: Math.max(word.end, Math.min(at + 1, text.length)),
        message: 'Put OR or AND between the values, and quote values with spaces.',
      }
    if (join !== undefined && join !== found)
      return { ...word, message: 'OR and AND cannot be mixed in one list.' }
    join = found
    at = skipSpaces(text, word.end)
  }
}
