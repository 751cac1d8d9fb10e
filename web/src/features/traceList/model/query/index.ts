import { observationQueries } from './fields'

export { decodeFilter, encodeFilter } from '@/shared/lib/filter'
export {
  conditionKey,
  emptyQuery,
  isEmptyQuery,
  isKeyed,
  type Condition,
  type ConditionValue,
  type Field,
  type Query,
} from '@/shared/query'
export { fields, observationQueries, traceQueries } from './fields'
export const {
  fieldNamed,
  fieldOfColumn,
  printCondition,
  printQuery,
  queryOfAddress,
  compileQuery,
} = observationQueries
