import { Link } from '@tanstack/react-router'
import { EmptyState, linkClass } from '@/shared/ui'

/** Shown for a page, project or object that does not exist or that the user may not see. */
export function NotFoundPage({ what = 'This page' }: { what?: string }) {
  return (
    <EmptyState title={`${what} does not exist, or you do not have access to it`}>
      <title>Not found · Almanac</title>
      Check the address, or ask an owner of the project for access.{' '}
      <Link to="/" className={linkClass}>
        Your projects
      </Link>
    </EmptyState>
  )
}
