import { Link } from '@tanstack/react-router'
import { EmptyState, linkClass } from '@/shared/ui'

/** Shown for a page that the documentation does not have. */
export function NoSuchDoc() {
  return (
    <EmptyState title="The documentation has no such page">
      <title>Not found · Almanac documentation</title>
      <Link to="/docs" className={linkClass}>
        All pages
      </Link>
    </EmptyState>
  )
}
