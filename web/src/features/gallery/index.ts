export { GalleryPage } from './GalleryPage'
