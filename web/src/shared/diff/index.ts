export { Diff, type DiffProps } from './Diff'
export { diffLayoutPreference, type DiffLayout } from './layout'
