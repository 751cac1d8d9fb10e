import { Contents } from './components/Contents'
import { DocSections } from './components/DocSections'
import { OnThisPage } from './components/OnThisPage'
import type { Doc } from './model/doc'

/** A page of the documentation between the list of all pages and the list of its headings. */
export function DocPage({ doc }: { doc: Doc }) {
  return (
    <>
      <title>{`${doc.title} · Almanac documentation`}</title>
      <div className="sticky top-14 hidden max-h-[calc(100dvh-3.5rem)] w-52 shrink-0 overflow-y-auto pb-6 lg:block">
        <Contents />
      </div>
      <article className="flex min-w-0 flex-1 flex-col gap-3 text-base leading-6 break-words">
        <details className="rounded-md border border-border lg:hidden">
          <summary className="cursor-default px-3 py-1.5 text-text-2">All pages</summary>
          <div className="p-3">
            <Contents />
          </div>
        </details>
        <DocSections doc={doc} />
      </article>
      <div className="sticky top-14 hidden max-h-[calc(100dvh-3.5rem)] w-48 shrink-0 overflow-y-auto pb-6 xl:block">
        <OnThisPage doc={doc} />
      </div>
    </>
  )
}
