export { BlobStoragePage } from './BlobStoragePage'
