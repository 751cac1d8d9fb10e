import { createFileRoute, notFound } from '@tanstack/react-router'
import { GalleryPage } from '@/features/gallery'

/** The design system at a glance, in development and test builds; in others its code is left out. */
export const Route = createFileRoute('/dev/gallery')({
  beforeLoad: () => {
    if (!__GALLERY__) throw notFound()
  },
  component: __GALLERY__ ? GalleryPage : undefined,
})
