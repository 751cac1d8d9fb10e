export { useFindId } from './api/useFindId'
export type { Finding } from './model/findings'
