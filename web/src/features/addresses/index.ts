export { FindTracePage } from './FindTracePage'
export { ProjectAddressPage } from './ProjectAddressPage'
export { partsOf, resolveAddress, type Search } from './model/resolve'
