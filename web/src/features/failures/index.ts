export { LoadError } from './LoadError'
export { MoreError } from './MoreError'
export { tablePages } from './tablePages'
export { toastFailure } from './toastFailure'
