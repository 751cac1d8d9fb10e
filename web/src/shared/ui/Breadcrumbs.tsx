import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

type BreadcrumbsProps = {
  /** From the outermost on: links, made by the page with the router's Link; the last one is the page itself. */
  items: readonly { id: string; content: ReactNode }[]
}

/** Where a page is. Long paths are cut in the middle of the line, never at the page itself. */
export function Breadcrumbs({ items }: BreadcrumbsProps) {
  return (
    <nav aria-label="Breadcrumbs">
      <ol className="flex min-w-0 items-center gap-1 text-sm text-text-3">
        {items.map(({ id, content }, at) => {
          const isLast = at === items.length - 1
          return (
            <li
              key={id}
              aria-current={isLast ? 'page' : undefined}
              className={
                isLast
                  ? 'min-w-0 shrink-0 truncate text-text-1'
                  : 'flex min-w-0 items-center gap-1 truncate'
              }
            >
              <span className="truncate [&_a]:rounded-sm [&_a:hover]:text-text-1 [&_a:hover]:underline">
                {content}
              </span>
              {!isLast && <ChevronRight aria-hidden className="size-3.5 shrink-0" />}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
