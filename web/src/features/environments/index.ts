export { useEnvironments } from './useEnvironments'
