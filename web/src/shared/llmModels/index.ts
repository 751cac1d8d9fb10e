export { useModels, type Models } from './useModels'
