export { isPublished } from './api/isPublished'
export { traceAt } from './model/traceAt'
export { Published } from './Published'
