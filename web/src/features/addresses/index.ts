export { partsOf, resolveAddress, type Named, type Search, type Source } from './model/resolve'
