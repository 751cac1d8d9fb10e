import { groupOf } from '@/shared/lib/filter'
import type { Condition, Query } from './condition'
import { scoreNames, type Field, type FieldSet } from './fields'
import { isReserved } from './parse'
import { isScalarScore, writeMoment, writeNumber } from './scalars'

/** A query in the syntax of the query bar. Parsing the result gives the same query. */
export function printQuery({ conditions, search }: Query, fields: FieldSet): string {
  const [only, another] = conditions
  if (only?.type === 'any' && !another && search === '') return printInside([only], fields) ?? ''
  return [...conditions.map((each) => printCondition(each, fields)), printWords(search)]
    .filter((text) => text !== undefined && text !== '')
    .join(' ')
}

/** A condition in the syntax of the query bar; undefined if it cannot be expressed. */
export function printCondition(condition: Condition, fields: FieldSet): string | undefined {
  const { type, column, key, operator, value, conditions } = condition
  if (conditions) return printGroup(type, conditions, fields)
  if (column === scoreNames) return printScoreNames(condition)
  const field = fields.ofColumn(column) ?? fields.list.find((each) => each.presence === column)
  if (!field) return undefined
  const name = key === undefined ? field.name : `${field.name}.${quoteKey(key)}`
  switch (type) {
    case 'string':
      return field.kind === 'words'
        ? printWordsOf(name, condition)
        : printText(field, name, condition)
    case 'stringObject':
      return printText(field, name, condition)
    case 'stringOptions':
    case 'arrayOptions':
    case 'categoryOptions':
      return printOptions(field, name, operator, Array.isArray(value) ? value : [])
    case 'number':
    case 'numberObject':
      return typeof value === 'number'
        ? `${name}:${operator === '=' ? (type === 'number' ? '' : '=') : operator}${writeNumber(value, key === undefined ? field.unit : undefined)}`
        : undefined
    case 'datetime':
      return `${name}:${operator}${quote(writeMoment(String(value)))}`
    case 'boolean':
    case 'booleanObject': {
      if (field.kind === 'scores') return `${operator === '<>' ? '-' : ''}${name}:${value === true}`
      const is = operator === '<>' ? value !== true : value === true
      if (field.presence === column) return is ? `has:${field.name}` : `-has:${field.name}`
      return type === 'boolean' ? `${name}:${is}` : `${name}:=${is}`
    }
    case 'null':
      return operator === 'is null' ? `-has:${name}` : `has:${name}`
    default: // a group of nothing
      return undefined
  }
}

function printGroup(
  type: Condition['type'],
  conditions: Condition[],
  fields: FieldSet,
): string | undefined {
  const [only, another] = conditions
  if (type === 'not' && only?.type === 'has' && !another) {
    const inner = printInside(only.conditions ?? [], fields)
    return inner === undefined ? undefined : `none:(${inner})`
  }
  const inner = printInside(type === 'any' ? [groupOf(type, conditions)] : conditions, fields)
  if (inner === undefined) return undefined
  return `${type === 'not' ? '-' : type === 'has' ? 'has:' : ''}(${inner})`
}

/** Conditions as they are printed in brackets. Alternatives that are alone need none of their own. */
function printInside(conditions: Condition[], fields: FieldSet): string | undefined {
  const [only, another] = conditions
  const isEither = only?.type === 'any' && !another
  const parts = (isEither ? (only.conditions ?? []) : conditions).map((each) =>
    isEither && each.type === 'all'
      ? printInside(each.conditions ?? [], fields)
      : printCondition(each, fields),
  )
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  return parts.join(isEither ? ' OR ' : ' ')
}

function printText(field: Field, name: string, { operator, value }: Condition): string | undefined {
  const text = String(value ?? '')
  const isExactByItself = field.kind === 'option' || field.kind === 'scores'
  switch (operator) {
    case '=':
      return `${name}:=${quote(text)}`
    case 'contains':
      if (text === '') return `has:${name}`
      return isExactByItself ? `${name}:*${quote(text)}*` : `${name}:${quoteBare(text)}`
    case 'does not contain':
      return isExactByItself ? `-${name}:*${quote(text)}*` : `-${name}:${quoteBare(text)}`
    case 'starts with':
      return `${name}:${quoteBare(text)}*`
    case 'ends with':
      return `${name}:*${quote(text)}`
    default:
      return undefined
  }
}

function printWordsOf(name: string, { operator, value }: Condition): string | undefined {
  const text = String(value ?? '')
  if (operator === '=') return `${name}:=${quote(text)}`
  return operator === 'matches' ? `${name}:${quoteBare(text)}` : undefined
}

function printOptions(
  field: Field,
  name: string,
  operator: string,
  values: readonly string[],
): string | undefined {
  const [only, another] = values
  if (only === undefined) return undefined
  const minus = operator === 'none of' ? '-' : ''
  if (field.kind === 'scores') {
    const categories = values.map(quoteCategory)
    return `${minus}${name}:${another === undefined ? categories[0] : `(${categories.join(' OR ')})`}`
  }
  if (another === undefined)
    return field.kind === 'text'
      ? `${minus}${name}:=${quote(only)}`
      : `${minus}${name}:${quoteBare(only)}`
  const join = operator === 'all of' ? ' AND ' : ' OR '
  return `${minus}${name}:(${values.map(quoteItem).join(join)})`
}

/** has:scores.name; several names at a time cannot be expressed. */
function printScoreNames({ operator, value }: Condition): string | undefined {
  const [only, another] = Array.isArray(value) ? value : []
  if (only === undefined || another !== undefined) return undefined
  return `${operator === 'none of' ? '-' : ''}has:scores.${quoteKey(only)}`
}

/** Omits seconds and milliseconds that are zero. */
function printWords(search: string): string {
  const words = search.split(/\s+/).filter((word) => word !== '')
  const isPlain = words.join(' ') === search && words.every((word) => !needsQuotes(word, ':：()'))
  return search === '' || isPlain ? search : inQuotes(search)
}

/** Quotes a value after a comparison if necessary. */
function quote(text: string): string {
  return needsQuotes(text, ')') ? inQuotes(text) : text
}

/** Quotes a value directly after the colon, where comparisons and brackets have a meaning. */
function quoteBare(text: string): string {
  return needsQuotes(text, ')') || /^[<>=(]/.test(text) ? inQuotes(text) : text
}

/** Quotes a value if necessary; `isBare` is for one in a list or directly after the colon, not after a comparison. */
export function quoteValue(text: string, isBare: boolean): string {
  return isBare ? quoteItem(text) : quote(text)
}

function quoteItem(text: string): string {
  return /^[<>=]/.test(text) || needsQuotes(text, '()') || isReserved(text) ? inQuotes(text) : text
}

/** Quotes a category of a score if necessary, or if it would be taken for a number. */
export function quoteCategory(text: string): string {
  return isScalarScore(text) ? inQuotes(text) : quoteItem(text)
}

/** Quotes a metadata key or the name of a score if necessary. */
export function quoteKey(key: string): string {
  return needsQuotes(key, ':：()') ? inQuotes(key) : key
}

function needsQuotes(text: string, stops: string): boolean {
  return (
    text === '' ||
    /[\s"“„*\\]/u.test(text) ||
    [...stops].some((stop) => text.includes(stop)) ||
    (stops.includes(':') && (text.startsWith('-') || isReserved(text)))
  )
}

function inQuotes(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
