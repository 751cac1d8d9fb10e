import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { resolveAddress, type Search } from '@/shared/legacyUrls'
import { ProjectAddressPage } from '@/features/placeholders'
import { partsOf, projectPath } from '@/shared/lib/paths'
import { stringifySearch } from '@/shared/lib/search'

/** Addresses that redirect, and those that have no page yet. */
export const Route = createFileRoute('/_app/project/$projectId/$')({
  // Some of these pages take a parameter several times, so nothing is changed here.
  validateSearch: (search: Record<string, unknown>): { baseline?: string } => search,
  beforeLoad: ({ location, params, search }) => {
    // The router decodes the rest of a path as a whole; ids with slashes need decoding per segment.
    const address = resolveAddress(partsOf(location.pathname).slice(2), location.search as Search)
    if (!address) throw notFound()
    if (address.kind === 'redirect') {
      const { dateRange, environment } = search
      const kept = { dateRange, environment, ...address.search }
      throw redirect({
        href: projectPath(params.projectId, address.path) + stringifySearch(kept),
        replace: true,
      })
    }
  },
  component: ProjectAddressPage,
})
