/** A condition as the server takes it, or several that are combined; see FilterCondition in api/ui.yaml. */
export type Condition = {
  type: ConditionType | GroupType
  column: string
  /** For metadata and scores. */
  key?: string
  operator: string
  value?: ConditionValue
  /** What a group combines. It has no column and no operator. */
  conditions?: Condition[]
}

/** All hold, one holds, not all hold, or one observation meets all. */
export type GroupType = 'all' | 'any' | 'not' | 'has'

const groupTypes: readonly GroupType[] = ['all', 'any', 'not', 'has']

/** Several conditions that are combined. */
export function groupOf(type: GroupType, conditions: Condition[]): Condition {
  return { type, column: '', operator: '', conditions }
}

export type ConditionValue = string | number | boolean | string[]

export type ConditionType =
  | 'string'
  | 'stringOptions'
  | 'arrayOptions'
  | 'categoryOptions'
  | 'number'
  | 'datetime'
  | 'boolean'
  | 'stringObject'
  | 'numberObject'
  | 'booleanObject'
  | 'null'

const types: readonly ConditionType[] = [
  'string',
  'stringOptions',
  'arrayOptions',
  'categoryOptions',
  'number',
  'datetime',
  'boolean',
  'stringObject',
  'numberObject',
  'booleanObject',
  'null',
]

/** The `filter` parameter of a URL: column;type;key;operator;value, joined by commas; lists are joined by |. */
export function encodeFilter(conditions: readonly Condition[]): string | undefined {
  const text = conditions.map(encodeCondition).join(',')
  return text === '' ? undefined : text
}

function encodeCondition({ column, type, key, operator, value, conditions }: Condition): string {
  if (conditions)
    return ['', type, '', '', encodeURIComponent(encodeFilter(conditions) ?? '')].join(';')
  const values = Array.isArray(value) ? value.map(escapeItem).join('|') : String(value ?? '')
  return [column, type, encodeURIComponent(key ?? ''), operator, encodeURIComponent(values)].join(
    ';',
  )
}

/** Escapes bars inside a value, since bars separate values. */
function escapeItem(item: string): string {
  return item.replaceAll('\\', '\\\\').replaceAll('|', '\\|')
}

/** The conditions in a URL, and the parts that are not valid conditions. */
export function decodeFilter(text: string): { conditions: Condition[]; unknown: string[] } {
  const found: { conditions: Condition[]; unknown: string[] } = { conditions: [], unknown: [] }
  for (const part of text.split(',')) {
    if (part === '') continue
    const condition = decodeCondition(part)
    if (condition) found.conditions.push(condition)
    else found.unknown.push(part)
  }
  return found
}

function decodeCondition(part: string): Condition | undefined {
  const [column, typeName, key = '', operator = '', encoded = ''] = part.split(';')
  const group = groupTypes.find((each) => each === typeName)
  if (group && column === '') {
    const { conditions, unknown } = decodeFilter(decode(encoded))
    return conditions.length > 0 && unknown.length === 0 ? groupOf(group, conditions) : undefined
  }
  const type = types.find((each) => each === typeName)
  if (column === undefined || column === '' || type === undefined || operator === '')
    return undefined
  const value = decodeValue(type, decode(encoded))
  if (value === undefined && type !== 'null') return undefined
  return {
    type,
    column,
    ...(key !== '' && { key: decode(key) }),
    operator: decode(operator),
    ...(value !== undefined && { value }),
  }
}

function decodeValue(type: ConditionType, text: string): ConditionValue | undefined {
  switch (type) {
    case 'null':
      return undefined
    case 'stringOptions':
    case 'arrayOptions':
    case 'categoryOptions':
      return text === '' ? undefined : splitItems(text)
    case 'number':
    case 'numberObject': {
      const number = Number(text)
      return text.trim() === '' || !Number.isFinite(number) ? undefined : number
    }
    case 'boolean':
    case 'booleanObject':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'datetime': {
      const at = new Date(text)
      return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
    }
    case 'string':
    case 'stringObject':
      return text
  }
}

function splitItems(text: string): string[] {
  const items = ['']
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    const next = text[at + 1]
    if (character === '\\' && (next === '|' || next === '\\')) {
      items[items.length - 1] += next
      at += 1
    } else if (character === '|') items.push('')
    else items[items.length - 1] += character
  }
  return items
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
