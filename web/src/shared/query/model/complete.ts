import { isKeyed, type Field, type FieldSet } from './fields'
import { isColon, isQuote, isSpace, readComparison, readQuoted } from './lex'
import { quoteCategory, quoteKey, quoteValue } from './print'

/** What can be completed at the caret, and the text that a completion replaces. */
export type Completing = { start: number; end: number; prefix: string } & (
  | { kind: 'field'; isHas: boolean }
  | { kind: 'key'; field: Field; isHas: boolean }
  | { kind: 'value'; field: Field; key: string | undefined; inList: boolean; isCompared: boolean }
)

export function completingAt(
  text: string,
  caret: number,
  fields: FieldSet,
): Completing | undefined {
  const termStart = startOfTerm(text, caret)
  const begin = text[termStart] === '-' ? termStart + 1 : termStart
  if (isQuote(text[begin])) return undefined
  const end = endOfWord(text, caret)
  const colon = findColon(text, begin, caret)
  if (colon < 0) return completeName(text, begin, caret, end, false, fields)
  const head = text.slice(begin, colon)
  if (head.toLowerCase() === 'has') return completeName(text, colon + 1, caret, end, true, fields)
  const target = targetOf(head, fields)
  if (!target) return undefined
  return completeValue(text, colon + 1, caret, end, target.field, target.key)
}

function completeName(
  text: string,
  start: number,
  caret: number,
  end: number,
  isHas: boolean,
  fields: FieldSet,
): Completing | undefined {
  const prefix = text.slice(start, caret)
  const dot = prefix.indexOf('.')
  const field = dot < 0 ? undefined : fields.named(prefix.slice(0, dot))
  if (field && isKeyed(field)) {
    const at = start + dot + 1
    return { kind: 'key', field, isHas, prefix: unquoted(text.slice(at, caret)), start: at, end }
  }
  return { kind: 'field', isHas, prefix, start, end }
}

function completeValue(
  text: string,
  valueStart: number,
  caret: number,
  end: number,
  field: Field,
  key: string | undefined,
): Completing {
  let start = valueStart
  let inList = false
  if (text[start] === '(') {
    inList = true
    const before = text.slice(start + 1, caret)
    const last = [...before.matchAll(/\s(?:or|and)\s+|^\s*/gi)].at(-1)
    start += 1 + (last ? last.index + last[0].length : 0)
  }
  const { comparison, end: afterComparison } = inList
    ? { comparison: undefined, end: start }
    : readComparison(text, start)
  const raw = text.slice(Math.min(afterComparison, caret), caret)
  return {
    kind: 'value',
    field,
    key,
    inList,
    isCompared: comparison !== undefined && comparison !== '=',
    prefix: unquoted(raw.replace(/^\*/, '')),
    start,
    end,
  }
}

/** A completion at the caret. */
export type Completion = {
  id: string
  label: string
  about?: string
  /** Replaces the typed text. */
  insert: string
  /** The number of rows that have it. */
  count?: number
}

/** The fields that begin with or contain the typed text. */
export function completeFields(
  { prefix, isHas }: { prefix: string; isHas: boolean },
  fields: FieldSet,
): Completion[] {
  const typed = prefix.toLowerCase()
  const rank = (field: Field) => {
    const names = [field.name, field.column, ...(field.aliases ?? [])].map((name) =>
      name.toLowerCase(),
    )
    if (names.some((name) => name.startsWith(typed))) return 0
    return names.some((name) => name.includes(typed)) ? 1 : 2
  }
  const found: Completion[] = fields.list
    .map((field) => ({ field, rank: rank(field) }))
    .filter(({ rank }) => rank < 2)
    .sort((a, b) => a.rank - b.rank)
    .map(({ field }) => ({
      id: field.name,
      label: field.name,
      about: field.about,
      insert: isHas
        ? isKeyed(field)
          ? field.name
          : `${field.name} `
        : isKeyed(field)
          ? `${field.name}.`
          : `${field.name}:`,
    }))
  if (!isHas && typed !== '' && 'has'.startsWith(typed))
    found.unshift({
      id: 'has',
      label: 'has',
      about:
        'Has a value: has:user, -has:user; one observation with all: has:(type:TOOL level:ERROR)',
      insert: 'has:',
    })
  if (!isHas && typed !== '' && 'none'.startsWith(typed))
    found.unshift({
      id: 'none',
      label: 'none',
      about: 'No observation has all of these: none:(type:TOOL level:ERROR)',
      insert: 'none:(',
    })
  return found
}

const operators: Partial<Record<Field['kind'], readonly [string, string][]>> = {
  number: [
    ['>', 'More than'],
    ['>=', 'At least'],
    ['<', 'Less than'],
    ['<=', 'At most'],
  ],
  scores: [
    ['>', 'More than'],
    ['<', 'Less than'],
  ],
  time: [
    ['>', 'After'],
    ['<', 'Before'],
  ],
}

/** Completions that do not depend on the project: operators, and values of fixed lists. */
export function completeKnownValues(at: Extract<Completing, { kind: 'value' }>): Completion[] {
  const typed = at.prefix.toLowerCase()
  if (at.field.kind === 'boolean')
    return ['true', 'false']
      .filter((value) => value.startsWith(typed))
      .map((value) => ({ id: value, label: value, insert: `${value} ` }))
  if (at.field.values)
    return at.field.values
      .filter((value) => value.toLowerCase().startsWith(typed))
      .map((value) => ({ id: value, label: value, insert: insertValue(at, value) }))
  if (typed === '' && !at.isCompared)
    return (operators[at.field.kind] ?? []).map(([insert, about]) => ({
      id: insert,
      label: insert,
      about,
      insert,
    }))
  return []
}

/** The column whose values in the project can be suggested; undefined if there is none. */
export function suggestedColumn(at: Completing): string | undefined {
  if (at.kind === 'key') return at.field.column
  if (at.kind !== 'value' || at.isCompared || at.field.values) return undefined
  switch (at.field.kind) {
    case 'text':
    case 'option':
    case 'list':
      return at.field.column
    case 'metadata':
      return at.key === undefined ? undefined : `metadata.${at.key}`
    case 'scores':
      return at.key === undefined ? undefined : `scores.${at.key}`
    case 'number':
    case 'time':
    case 'boolean':
    case 'words':
      return undefined
  }
}

/** How a value of the project is written into the query: strings as exact matches, anything else as it is. */
export function insertValue(at: Completing, value: string): string {
  if (at.kind === 'key') return `${quoteKey(value)}${at.isHas ? ' ' : ':'}`
  if (at.kind !== 'value') return value
  if (at.inList) return at.field.kind === 'scores' ? quoteCategory(value) : quoteValue(value, true)
  if (at.field.kind === 'scores') return `${quoteCategory(value)} `
  const isText = at.field.kind === 'text' || at.field.kind === 'metadata'
  return `${isText ? '=' : ''}${quoteValue(value, !isText)} `
}

function startOfTerm(text: string, caret: number): number {
  let start = 0
  let depth = 0
  for (let at = 0; at < caret;) {
    const character = text[at]
    if (isQuote(character)) {
      const { end } = readQuoted(text.slice(0, caret), at)
      at = end
      continue
    }
    // A bracket that does not open a list of values opens a group of conditions.
    if (character === '(' && /^-?((has|none)[:：])?$/i.test(text.slice(start, at))) start = at + 1
    else if (character === '(') depth += 1
    else if (character === ')') depth = Math.max(0, depth - 1)
    else if (isSpace(character) && depth === 0) start = at + 1
    at += 1
  }
  return start
}

function endOfWord(text: string, caret: number): number {
  let at = caret
  while (at < text.length && !isSpace(text[at]) && text[at] !== ')') at += 1
  return at
}

function findColon(text: string, from: number, to: number): number {
  for (let at = from; at < to;) {
    if (isQuote(text[at])) at = readQuoted(text.slice(0, to), at).end
    else if (isColon(text[at])) return at
    else at += 1
  }
  return -1
}

function targetOf(
  head: string,
  fields: FieldSet,
): { field: Field; key: string | undefined } | undefined {
  const dot = head.indexOf('.')
  const field = fields.named(dot < 0 ? head : head.slice(0, dot))
  return field && { field, key: dot < 0 ? undefined : unquoted(head.slice(dot + 1)) }
}

function unquoted(text: string): string {
  return isQuote(text[0]) ? readQuoted(text, 0).text : text
}
