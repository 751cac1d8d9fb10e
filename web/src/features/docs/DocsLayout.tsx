import { Link, Outlet, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { linkClass, SearchField } from '@/shared/ui'

/** The frame of the documentation, for visitors as well: a bar with the search, and the page below it. */
export function DocsLayout() {
  const { q = '' } = useSearch({ from: '/docs' })
  const isSearching = useLocation({ select: ({ search }) => 'q' in search })
  const navigate = useNavigate()
  // Keys come from outside React.
  useEffect(() => {
    document.addEventListener('keydown', focusSearch)
    return () => document.removeEventListener('keydown', focusSearch)
  }, [])
  const search = (text: string) =>
    void navigate({
      to: '/docs',
      search: text === '' ? {} : { q: text },
      replace: isSearching, // Back leads to the page from which somebody began to search
    })
  return (
    <div className="min-h-full">
      <a
        href="#page"
        className="z-toast sr-only rounded-md bg-accent px-3 py-1 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <header className="z-bar sticky top-0 flex h-11 items-center gap-3 border-b border-border bg-surface-1 px-3">
        <Link
          to="/docs"
          className="flex shrink-0 items-center gap-2 rounded-md font-semibold hover:text-accent"
        >
          <svg aria-hidden viewBox="0 0 32 32" className="size-5 fill-accent">
            <path d="M7 26V6h3v20zM13 10h13v3H13zM13 16h8v3h-8zM13 23h11v3H13z" />
          </svg>
          <span className="max-sm:sr-only">Almanac documentation</span>
        </Link>
        <div data-docs-search className="ml-auto flex min-w-0 flex-1 justify-end">
          <SearchField
            label="Search the documentation"
            placeholder="Search"
            value={q}
            onChange={search}
          />
        </div>
        <Link to="/" className={`${linkClass} shrink-0`}>
          Open Almanac
        </Link>
      </header>
      <main
        id="page"
        tabIndex={-1}
        className="mx-auto flex max-w-[82rem] items-start gap-8 px-4 py-4 md:px-6"
      >
        <Outlet />
      </main>
    </div>
  )
}

/** Moves the focus into the search field when somebody presses its key. */
function focusSearch(event: KeyboardEvent) {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target instanceof HTMLElement && event.target.closest('input, textarea')) return
  event.preventDefault()
  document.querySelector<HTMLElement>('[data-docs-search] input')?.focus()
}
