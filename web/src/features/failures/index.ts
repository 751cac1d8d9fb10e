export { LoadError } from './LoadError'
export { toastFailure } from './toastFailure'
