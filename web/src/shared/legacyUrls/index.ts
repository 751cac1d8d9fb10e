export { resolveAddress, type Placeholder, type Search, type Source } from './model/resolve'
