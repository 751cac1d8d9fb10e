export { useTimeRange } from './useTimeRange'
export { useViewSearch, viewSearchEntries, type ViewSearch } from './useViewSearch'
