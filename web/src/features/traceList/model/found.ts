import type { UiComponents } from '@/shared/api'
import type { Row } from './rows'
import type { Table } from './view'

export type Found = UiComponents['schemas']['FoundText']

/** What the fields are called in which a text is found. */
const fields: Record<Found['field'], string> = {
  input: 'input',
  output: 'output',
  name: 'name',
  traceName: 'trace name',
  id: 'observation id',
  traceId: 'trace id',
  sessionId: 'session',
  userId: 'user',
}

/** The part before the text that is shown in a cell: little, so that the text itself is in sight. */
const lead = 16

export type Excerpt = {
  /** The observation, unless the row is one. */
  observation: string | undefined
  field: string
  before: string
  text: string
  after: string
}

/** What a row says of where the text of a search is. */
export function excerptOf(table: Table, { found }: Pick<Row, 'found'>): Excerpt | undefined {
  if (!found) return undefined
  const { name, type, field, before, text, after } = found
  const observation = name ?? type.charAt(0) + type.slice(1).toLowerCase()
  return {
    observation: table === 'traces' && field !== 'traceId' ? observation : undefined,
    field: fields[field],
    before: endOf(before),
    text,
    after,
  }
}

/** The observation at which a row's trace is opened; undefined for the trace as a whole. */
export function observationOf(table: Table, row: Pick<Row, 'id' | 'found'>): string | undefined {
  return table === 'observations' ? row.id : row.found?.observationId
}

function endOf(before: string): string {
  const characters = [...before]
  if (characters.length <= lead) return before
  const end = characters.slice(-lead).join('')
  const word = end.indexOf(' ')
  return `…${word >= 0 && word < end.length - 1 ? end.slice(word + 1) : end}`
}
