import { useLocation } from '@tanstack/react-router'
import { Hourglass } from 'lucide-react'
import { ApiError, messageOf } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import { partsOf } from '@/shared/lib/paths'
import { Callout, CopyButton, ErrorState, Page, PageHeader, Skeleton } from '@/shared/ui'
import { useRaw } from './api/useRaw'
import { RawData } from './components/RawData'
import { resolveAddress, type Placeholder, type Search } from '@/shared/legacyUrls'

/** An address that has no page yet: says what it refers to, and shows its raw data. */
export function ProjectAddressPage() {
  const { pathname } = useLocation()
  const search = useLocation({ select: (location) => location.search as Search })
  // Without /project/{id}. The route has checked that the address resolves.
  const named = resolveAddress(partsOf(pathname).slice(2), search)
  return named?.kind === 'named' ? <PlaceholderPage named={named} /> : null
}

function PlaceholderPage({ named }: { named: Placeholder }) {
  const { project } = useProject()
  const raw = useRaw(project.id, named.source)
  const { what, id, will, source } = named
  return (
    <Page>
      <div className="flex w-full max-w-5xl flex-col">
        <PageHeader
          title={what}
          description={
            id !== undefined && (
              <span className="flex items-center gap-1">
                <code className="min-w-0 font-mono text-sm break-all">{id}</code>
                <CopyButton text={id} label="Copy id" />
              </span>
            )
          }
        />
        <div className="flex flex-col gap-4">
          <Callout title="This page is not available yet">
            {will}{' '}
            {source.from === 'nothing'
              ? source.why
              : 'Until then, here is the raw data from the public API (the first 50 entries of lists).'}
          </Callout>
          {source.from !== 'nothing' &&
            (raw.isError ? (
              <ErrorState
                title={
                  raw.error instanceof ApiError && raw.error.status === 404
                    ? `${what} not found`
                    : raw.error instanceof ApiError && raw.error.status === 403
                      ? 'Your role does not allow this'
                      : 'Couldn’t load the data'
                }
                message={messageOf(raw.error)}
                onRetry={() => void raw.refetch()}
              />
            ) : raw.isPending ? (
              <div aria-busy="true" className="flex flex-col gap-2">
                <p className="flex items-center gap-2 text-text-3">
                  <Hourglass aria-hidden className="size-4" /> Loading…
                </p>
                <Skeleton className="w-full" />
                <Skeleton className="w-3/4" />
                <Skeleton className="w-1/2" />
              </div>
            ) : (
              <RawData json={raw.data} />
            ))}
        </div>
      </div>
    </Page>
  )
}
