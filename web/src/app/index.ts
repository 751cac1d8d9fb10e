export { RouteError } from './ErrorPage'
export { NotFoundPage } from './NotFoundPage'
export { Shell } from './Shell'
