import { completeFields, completingAt, type Completing, type Completion } from './complete'
import type { Condition, Query } from './condition'
import { compileQuery, type Understood } from './convert'
import { fieldSet, type Field } from './fields'
import { printCondition, printQuery } from './print'
import { queryOfAddress } from './queryOfAddress'

/** The grammar of the query bar over one set of fields. */
export type QueryLanguage = {
  fields: readonly Field[]
  fieldNamed: (name: string) => Field | undefined
  fieldOfColumn: (column: string) => Field | undefined
  /** Reads the text of the query bar. If there are errors, the query must not be applied. */
  compileQuery: (text: string) => Understood
  printQuery: (query: Query) => string
  printCondition: (condition: Condition) => string | undefined
  queryOfAddress: (filter: string, search: string) => { query: Query; unknown: string[] }
  completingAt: (text: string, caret: number) => Completing | undefined
  completeFields: (at: { prefix: string; isHas: boolean }) => Completion[]
}

/** Fields are listed with the most used first: that is the order in which they are offered. */
export function createQueryLanguage(fields: readonly Field[]): QueryLanguage {
  const set = fieldSet(fields)
  return {
    fields,
    fieldNamed: set.named,
    fieldOfColumn: set.ofColumn,
    compileQuery: (text) => compileQuery(text, set),
    printQuery: (query) => printQuery(query, set),
    printCondition: (condition) => printCondition(condition, set),
    queryOfAddress: (filter, search) => queryOfAddress(filter, search, set),
    completingAt: (text, caret) => completingAt(text, caret, set),
    completeFields: (at) => completeFields(at, set),
  }
}
