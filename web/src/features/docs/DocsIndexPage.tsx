import { Link, useSearch } from '@tanstack/react-router'
import { basePath } from '@/shared/lib/url'
import { linkClass } from '@/shared/ui'
import { SearchResults } from './components/SearchResults'
import { contents } from './model/contents'

/** All pages of the documentation, or what was found in them. */
export function DocsIndexPage() {
  const { q = '' } = useSearch({ from: '/docs' })
  return q.trim() === '' ? <AllPages /> : <SearchResults query={q} />
}

function AllPages() {
  return (
    <div className="min-w-0 flex-1">
      <title>Almanac documentation</title>
      <h1 className="pb-1 text-2xl font-semibold">Documentation</h1>
      <p className="max-w-prose pb-4 text-text-2">
        These pages are part of this server and describe its version. Every operation of the API is
        in the{' '}
        <a href={`${basePath}/api/docs`} className={linkClass}>
          API reference
        </a>
        .
      </p>
      <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
        {contents.map((group) => (
          <section key={group.label}>
            <h2 className="text-lg font-semibold">{group.label}</h2>
            <p className="pb-2 text-text-3">{group.about}</p>
            <ul className="flex flex-col gap-2">
              {group.pages.map(({ page, title, about }) => (
                <li key={page}>
                  <Link to="/docs/$page" params={{ page }} className={linkClass}>
                    {title}
                  </Link>
                  <p className="text-text-2">{about}</p>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}
