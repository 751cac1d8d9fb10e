export { ErrorPage } from './ErrorPage'
export { NotFoundPage } from './NotFoundPage'
export { Shell } from './Shell'
