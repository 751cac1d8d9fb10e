export { decodeFilter, encodeFilter } from '@/shared/lib/filter'
export { queryOfAddress } from './queryOfAddress'
export {
  conditionKey,
  emptyQuery,
  isEmptyQuery,
  type Condition,
  type ConditionValue,
  type Query,
} from './condition'
export { understand } from './convert'
export { fieldNamed, fieldOfColumn, fields, isKeyed, type Field } from './fields'
export { printCondition, printQuery } from './print'
export type { QueryError } from './parse'
