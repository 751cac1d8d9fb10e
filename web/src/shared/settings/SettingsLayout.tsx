import { Link, useMatches, useNavigate, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { Page, Select } from '@/shared/ui'

/** A settings page. The first one is at the path that all others begin with. */
export type SettingsPage = {
  to: Extract<LinkProps['to'], `/${string}/settings${string}`>
  label: string
}

type SettingsLayoutProps = {
  label: string
  params: { projectId: string } | { organizationId: string }
  pages: readonly SettingsPage[]
  children: ReactNode
}

/** Settings with their pages on the left; on narrow screens the pages are a select at the top. */
export function SettingsLayout({ label, params, pages, children }: SettingsLayoutProps) {
  const navigate = useNavigate()
  const route = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' })
  const current = pages.findLast((page) => `${route}/`.startsWith(`${page.to}/`)) ?? pages[0]
  return (
    <Page>
      <div className="flex min-w-0 flex-col gap-4 md:flex-row md:gap-8">
        <Select
          label={`${label}: page`}
          hideLabel
          className="md:hidden"
          options={pages.map((page) => ({ id: page.to, label: page.label }))}
          value={current?.to ?? null}
          onChange={(to) => void navigate({ to, params })}
        />
        <nav aria-label={label} className="sticky top-4 hidden w-40 shrink-0 self-start md:block">
          <ul className="flex flex-col">
            {pages.map((page) => (
              <li key={page.to}>
                <Link
                  to={page.to}
                  params={params}
                  // By default the router also marks the ancestors of the open page. aria-current below marks the
                  // current one.
                  activeOptions={{ exact: true }}
                  aria-current={page === current ? 'page' : undefined}
                  className={cx(
                    'flex min-h-7 items-center rounded-md px-2 py-1',
                    page === current
                      ? 'bg-surface-2 font-medium text-text-1'
                      : 'text-text-2 hover:bg-surface-1 hover:text-text-1',
                  )}
                >
                  {page.label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="flex min-w-0 max-w-5xl flex-1 flex-col">{children}</div>
      </div>
    </Page>
  )
}
