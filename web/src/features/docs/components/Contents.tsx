import { Link } from '@tanstack/react-router'
import { contents } from '../model/contents'

/** Links to all pages of the documentation, in groups; the open one is marked. */
export function Contents() {
  return (
    <nav aria-label="Documentation" className="flex flex-col gap-3">
      {contents.map((group) => (
        <div key={group.label}>
          <p className="px-2 pb-0.5 text-sm text-text-3">{group.label}</p>
          <ul>
            {group.pages.map(({ page, title }) => (
              <li key={page}>
                <Link
                  to="/docs/$page"
                  params={{ page }}
                  className="block rounded-md px-2 py-1 text-text-2 hover:bg-surface-2 hover:text-text-1 aria-[current=page]:bg-surface-3 aria-[current=page]:font-medium aria-[current=page]:text-text-1"
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
