import { Link } from '@tanstack/react-router'
import { cx } from '@/shared/lib/cx'
import type { Doc } from '../model/doc'

const deepest = 3

/** Links to the headings of a page; nothing if there are too few to be of help. */
export function OnThisPage({ doc }: { doc: Doc }) {
  const headings = doc.sections.slice(1).filter(({ depth }) => depth <= deepest)
  if (headings.length < 2) return null
  return (
    <nav aria-label="On this page">
      <p className="pb-0.5 text-sm text-text-3">On this page</p>
      <ul className="text-sm">
        {headings.map(({ anchor, title, depth }) => (
          <li key={anchor} className={cx(depth > 2 && 'pl-3')}>
            <Link
              to="/docs/$page"
              params={{ page: doc.page }}
              hash={anchor}
              activeOptions={{ includeHash: true }}
              className="block rounded-md py-1 text-text-2 hover:text-text-1"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
