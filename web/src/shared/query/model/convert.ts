import { groupOf } from '@/shared/lib/filter'
import type { Condition, Query } from './condition'
import { scoreNames, type Field, type FieldSet } from './fields'
import type { Comparison } from './lex'
import {
  parseQuery,
  type Parsed,
  type Pattern,
  type QueryError,
  type Term,
  type Value,
} from './parse'
import { isScalarScore, readBoolean, readMoment, readNumber } from './scalars'

export type Understood = { query: Query; errors: QueryError[] }

/** Reads the text of the query bar. If there are errors, the query must not be applied. */
export function compileQuery(text: string, fields: FieldSet): Understood {
  return toQuery(parseQuery(text, fields))
}

/** Turns terms into conditions and a search text. Adjacent words form one phrase. */
export function toQuery({ terms, errors }: Parsed): Understood {
  const found: Understood = { query: { conditions: [], search: '' }, errors: [...errors] }
  const words: string[] = []
  for (const term of terms) {
    if (term.kind === 'text') words.push(term.text)
    else found.query.conditions.push(...convert(term, found.errors))
  }
  found.query.search = words.join(' ')
  found.errors.sort((a, b) => a.start - b.start)
  return found
}

/** The conditions of a term. Those that are not understood are reported. */
function convert(term: Term, errors: QueryError[]): Condition[] {
  const converted =
    term.kind === 'group'
      ? convertGroup(term, errors)
      : term.kind === 'has'
        ? convertHas(term)
        : term.kind === 'field'
          ? convertField(term)
          : 'Words cannot be in brackets or beside OR. Name a field: name:word, input:word, output:word.'
  if (typeof converted !== 'string') return converted
  errors.push({ start: term.start, end: term.end, message: converted })
  return []
}

function convertGroup(
  { type, negated, terms }: Extract<Term, { kind: 'group' }>,
  errors: QueryError[],
): Condition[] {
  const inner = terms.map((term) => convert(term, errors))
  const conditions =
    type === 'any'
      ? inner.map((each) => (each.length === 1 && each[0] ? each[0] : groupOf('all', each)))
      : inner.flat()
  if (conditions.length === 0) return []
  const group = type === 'all' ? conditions : [groupOf(type, conditions)]
  return negated ? [groupOf('not', group)] : group
}

/** Conditions, or an error message. */
type Converted = Condition[] | string

function convertHas({ field, key, negated }: Extract<Term, { kind: 'has' }>): Converted {
  if (field.kind === 'scores' && key !== undefined)
    return [
      {
        type: 'arrayOptions',
        column: scoreNames,
        operator: negated ? 'none of' : 'any of',
        value: [key],
      },
    ]
  if (key !== undefined) {
    return negated
      ? `Observations without a metadata key cannot be selected. Leave out the minus, or use -has:metadata.`
      : [{ type: 'stringObject', column: field.column, key, operator: 'contains', value: '' }]
  }
  if (field.presence !== undefined)
    return [{ type: 'boolean', column: field.presence, operator: '=', value: !negated }]
  return [{ type: 'null', column: field.column, operator: negated ? 'is null' : 'is not null' }]
}

type FieldTerm = Extract<Term, { kind: 'field' }>

function convertField(term: FieldTerm): Converted {
  switch (term.field.kind) {
    case 'text':
    case 'option':
      return convertText(term)
    case 'list':
      return convertList(term)
    case 'number':
      return convertNumber(term)
    case 'time':
      return convertTime(term)
    case 'boolean':
      return convertBoolean(term)
    case 'words':
      return convertWords(term)
    case 'metadata':
      return convertKeyed(term)
    case 'scores':
      return convertScores(term)
  }
}

const opposite: Record<Exclude<Comparison, '='>, Comparison> = {
  '>': '<=',
  '>=': '<',
  '<': '>=',
  '<=': '>',
}

function convertText({ field, value, negated }: FieldTerm): Converted {
  const { column } = field
  const options = (values: string[]): Condition[] => [
    { type: 'stringOptions', column, operator: negated ? 'none of' : 'any of', value: values },
  ]
  const patterns = patternsOf(value)
  if (value.kind === 'list' && value.join === 'AND')
    return `${field.name} has one value, so it cannot have several at once. Use OR.`
  if (value.kind === 'list' || value.comparison === '=' || isExact(field, patterns)) {
    if (patterns.some(hasStar)) return 'Stars are not allowed in a list or after =.'
    return options(patterns.map((pattern) => optionOf(field, pattern.text)))
  }
  if (value.comparison !== undefined)
    return `${field.name} is a text: ${value.comparison} needs a number.`
  return textCondition('string', column, undefined, value.pattern, negated)
}

function isExact(field: Field, patterns: readonly Pattern[]): boolean {
  return field.kind === 'option' && !patterns.some(hasStar)
}

/** The server writes known options in capitals; people may write them in any case. */
function optionOf(field: Field, text: string): string {
  return field.values?.find((known) => known === text.toUpperCase()) ?? text
}

/** x and *x* mean contains, x* begins with, *x ends with. */
function textCondition(
  type: 'string' | 'stringObject',
  column: string,
  key: string | undefined,
  pattern: Pattern,
  negated: boolean,
): Converted {
  const make = (operator: string): Condition[] => [
    { type, column, ...(key !== undefined && { key }), operator, value: pattern.text },
  ]
  if (pattern.leading === pattern.trailing) return make(negated ? 'does not contain' : 'contains')
  if (negated) return 'Prefixes and suffixes cannot be excluded. Leave out the star or the minus.'
  return make(pattern.trailing ? 'starts with' : 'ends with')
}

function convertList({ field, value, negated }: FieldTerm): Converted {
  const patterns = patternsOf(value)
  if (value.kind === 'one' && value.comparison !== undefined && value.comparison !== '=')
    return `${field.name} is a list of texts: ${value.comparison} needs a number.`
  if (patterns.some(hasStar)) return `${field.name} is compared as a whole. Leave out the star.`
  const isAll = value.kind === 'list' && value.join === 'AND'
  if (isAll && negated) return 'A list with AND cannot be excluded. Use OR.'
  return [
    {
      type: 'arrayOptions',
      column: field.column,
      operator: negated ? 'none of' : isAll ? 'all of' : 'any of',
      value: patterns.map(({ text }) => text),
    },
  ]
}

function convertNumber(term: FieldTerm): Converted {
  const { field, value } = term
  if (value.kind === 'list') return `${field.name} takes one number, for example ${field.name}:>1.`
  return compareNumbers(term, value.pattern, value.comparison, (operator, number) => ({
    type: 'number',
    column: field.column,
    operator,
    value: number,
  }))
}

/** >1, 1..5 and 1. There is no operator for "is not 1". */
function compareNumbers(
  { field, negated }: FieldTerm,
  pattern: Pattern,
  comparison: Comparison | undefined,
  make: (operator: Comparison, value: number) => Condition,
): Converted {
  const range = comparison === undefined ? /^(.+?)\.\.(.+)$/.exec(pattern.text) : null
  if (range) {
    const [from, to] = [
      readNumber(range[1] ?? '', field.unit),
      readNumber(range[2] ?? '', field.unit),
    ]
    if (from === undefined || to === undefined) return notANumber(field, pattern.text)
    const both = [make('>=', from), make('<=', to)]
    if (!negated) return both
    return field.isOfObservations
      ? [groupOf('not', [groupOf('has', both)])]
      : 'A range cannot be excluded.'
  }
  const number = hasStar(pattern) ? undefined : readNumber(pattern.text, field.unit)
  if (number === undefined) return notANumber(field, pattern.text)
  const operator = comparison ?? '='
  if (!negated) return [make(operator, number)]
  if (field.isOfObservations) return [groupOf('not', [make(operator, number)])]
  if (operator === '=')
    return `A number cannot be excluded. Use ${field.name}:> or ${field.name}:<.`
  return [make(opposite[operator], number)]
}

function notANumber(field: Field, text: string): string {
  const examples = { seconds: '2s or 300ms', dollars: '$0.01', count: '10k' }
  return `“${text}” is not a number${field.unit ? `, such as ${examples[field.unit]}` : ''}.`
}

function convertTime({ field, value, negated }: FieldTerm): Converted {
  if (value.kind === 'list' || value.comparison === undefined || value.comparison === '=')
    return `Times are compared with > and <: ${field.name}:>2026-11-01.`
  const at = readMoment(value.pattern.text)
  if (at === undefined)
    return `“${value.pattern.text}” is not a time, such as 2026-11-01 or "2026-11-01 09:30".`
  const compare = (operator: string): Condition => ({
    type: 'datetime',
    column: field.column,
    operator,
    value: at,
  })
  if (!negated) return [compare(value.comparison)]
  return field.isOfObservations
    ? [groupOf('not', [compare(value.comparison)])]
    : [compare(opposite[value.comparison])]
}

function convertBoolean({ field, value, negated }: FieldTerm): Converted {
  const is = value.kind === 'one' ? readBoolean(value.pattern.text) : undefined
  if (is === undefined) return `${field.name} is true or false.`
  return [{ type: 'boolean', column: field.column, operator: '=', value: is !== negated }]
}

function convertWords({ field, value, negated }: FieldTerm): Converted {
  if (value.kind === 'list') return `${field.name} takes one text: ${field.name}:"two words".`
  if (negated) return `Words of the ${field.name} cannot be excluded.`
  if (value.comparison !== undefined && value.comparison !== '=')
    return `${field.name} is a text: ${value.comparison} needs a number.`
  if (value.pattern.leading !== value.pattern.trailing)
    return `${field.name} is searched for whole words. Leave out the star.`
  const { text } = value.pattern
  if (value.comparison !== '=' && !/[\p{L}\p{N}]/u.test(text))
    return `${field.name} is searched for words, and “${text}” has none.`
  return [
    {
      type: 'string',
      column: field.column,
      operator: value.comparison === '=' ? '=' : 'matches',
      value: text,
    },
  ]
}

/** metadata.key: compared as numbers where the comparison is numeric, as strings otherwise. */
function convertKeyed(term: FieldTerm): Converted {
  const { field, value, negated, key } = term
  const { column } = field
  if (key === undefined) return `${field.name} needs a key.`
  if (value.kind === 'list')
    return `${field.name}.${key} takes one value. Make several searches, or search for a text that they share.`
  const { pattern, comparison } = value
  if (comparison !== undefined && comparison !== '=')
    return compareNumbers(term, pattern, comparison, (operator, number) => ({
      type: 'numberObject',
      column,
      key,
      operator,
      value: number,
    }))
  if (comparison !== '=') return textCondition('stringObject', column, key, pattern, negated)
  if (hasStar(pattern)) return 'Stars are not allowed after =.'
  if (negated) return 'An exact value cannot be excluded here. Leave out the =.'
  return [{ type: 'stringObject', column, key, operator: '=', value: pattern.text }]
}

/** scores.name: a number, true or false, or a category. A quoted value is always a category. */
function convertScores(term: FieldTerm): Converted {
  const { field, value, negated, key } = term
  const { column } = field
  if (key === undefined) return `${field.name} needs a name.`
  const categories = (values: string[]): Condition[] => [
    {
      type: 'categoryOptions',
      column,
      key,
      operator: negated ? 'none of' : 'any of',
      value: values,
    },
  ]
  if (value.kind === 'list') {
    if (value.join === 'AND') return 'Use OR: one score has one category.'
    if (value.patterns.some(hasStar)) return 'Stars are not allowed in a list or after =.'
    if (value.patterns.some(isScalar))
      return 'A list is one of categories. Compare numbers with > and <, and quote a category that is a number.'
    return categories(value.patterns.map(({ text }) => text))
  }
  const { pattern, comparison } = value
  if (hasStar(pattern))
    return comparison === undefined
      ? textCondition('stringObject', column, key, pattern, negated)
      : 'Stars are not allowed after =.'
  const is = pattern.quoted ? undefined : readBoolean(pattern.text)
  if (is !== undefined && (comparison === undefined || comparison === '='))
    return [{ type: 'booleanObject', column, key, operator: negated ? '<>' : '=', value: is }]
  if ((comparison !== undefined && comparison !== '=') || isScalar(pattern))
    return compareNumbers(term, pattern, comparison, (operator, number) => ({
      type: 'numberObject',
      column,
      key,
      operator,
      value: number,
    }))
  return categories([pattern.text])
}

function isScalar({ text, quoted }: Pattern): boolean {
  return !quoted && isScalarScore(text)
}

function patternsOf(value: Value): Pattern[] {
  return value.kind === 'one' ? [value.pattern] : value.patterns
}

function hasStar({ leading, trailing }: Pattern): boolean {
  return leading || trailing
}
