export { Diff, type DiffProps } from './Diff'
export type { DiffLayout } from './layout'
