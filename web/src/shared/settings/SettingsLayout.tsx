import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { partsOf } from '@/shared/lib/paths'
import { Page, Select } from '@/shared/ui'

/** A settings page; `path` is relative to the base. */
export type SettingsPage = { path: string; label: string }

type SettingsLayoutProps = {
  label: string
  /** The path of the settings, without a trailing slash. */
  base: string
  pages: readonly SettingsPage[]
  children: ReactNode
}

/** Settings with their pages on the left; on narrow screens the pages are a select at the top. */
export function SettingsLayout({ label, base, pages, children }: SettingsLayoutProps) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const below = partsOf(pathname).slice(partsOf(base).length).join('/')
  const active = pages.find(
    (page) => page.path !== '' && (below === page.path || below.startsWith(`${page.path}/`)),
  )
  const current = active ?? pages[0]
  const address = (path: string) => (path === '' ? base : `${base}/${path}`)
  return (
    <Page>
      <div className="flex min-w-0 flex-col gap-4 md:flex-row md:gap-8">
        <Select
          label={`${label}: page`}
          hideLabel
          className="md:hidden"
          options={pages.map((page) => ({ id: `/${page.path}`, label: page.label }))}
          value={current ? `/${current.path}` : null}
          onChange={(id) => void navigate({ to: address(id.slice(1)) })}
        />
        <nav aria-label={label} className="sticky top-4 hidden w-40 shrink-0 self-start md:block">
          <ul className="flex flex-col">
            {pages.map((page) => (
              <li key={page.path}>
                <Link
                  to={address(page.path)}
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
