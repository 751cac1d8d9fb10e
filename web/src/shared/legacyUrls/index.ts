export { resolveAddress, type Named, type Search, type Source } from './model/resolve'
