export { useScope } from './useScope'
export { useTimeRange } from './useTimeRange'
export { useViewSearch, viewSearchEntries, type ViewSearch } from './useViewSearch'
export type { Scope } from './model/scope'
