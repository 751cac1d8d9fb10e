export { LoadError } from './LoadError'
