import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router'
import { NotFoundPage } from '@/app'

/** The design system at a glance, in development and test builds. */
export const Route = createFileRoute('/dev/gallery')({
  component: __GALLERY__
    ? lazyRouteComponent(() => import('@/features/gallery'), 'GalleryPage')
    : NotFoundPage,
})
