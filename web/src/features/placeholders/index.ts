export { FindTracePage } from './FindTracePage'
export { ProjectAddressPage } from './ProjectAddressPage'
