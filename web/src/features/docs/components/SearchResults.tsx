import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { QueryView } from '@/shared/errors'
import { EmptyState, linkClass } from '@/shared/ui'
import { allDocsQuery } from '../api/files'
import type { Doc } from '../model/doc'
import { findInDocs, mostShown, type Found, type Piece } from '../model/findInDocs'

/** The sections of all pages that contain what is searched for. */
export function SearchResults({ query }: { query: string }) {
  const docs = useQuery(allDocsQuery)
  return (
    <div className="min-w-0 flex-1">
      <title>{`${query} · Almanac documentation`}</title>
      <h1 className="pb-1 text-2xl font-semibold">Search results</h1>
      <QueryView query={docs} what="the documentation" skeleton="h-40">
        {(all) => <Results docs={all} query={query} />}
      </QueryView>
    </div>
  )
}

function Results({ docs, query }: { docs: readonly Doc[]; query: string }) {
  const found = useMemo(() => findInDocs(docs, query), [docs, query])
  if (found.length === 0)
    return (
      <EmptyState title={`Nothing found for “${query}”`}>
        Every word must occur in a section. Try fewer words, or{' '}
        <Link to="/docs" className={linkClass}>
          look through all pages
        </Link>
        .
      </EmptyState>
    )
  return (
    <>
      <p role="status" className="pb-3 text-text-3">
        {found.length === 1 ? '1 section' : `${found.length} sections`}
        {found.length > mostShown && `, of which the best ${mostShown} are shown`}
      </p>
      <ol className="flex max-w-prose flex-col gap-4">
        {found.slice(0, mostShown).map((each) => (
          <Result key={`${each.page}#${each.section.anchor}`} found={each} />
        ))}
      </ol>
    </>
  )
}

function Result({ found: { page, title, section, excerpt } }: { found: Found }) {
  return (
    <li>
      <Link
        to="/docs/$page"
        params={{ page }}
        hash={section.depth > 1 ? section.anchor : undefined}
        className={`${linkClass} text-lg`}
      >
        {section.title}
      </Link>
      {section.depth > 1 && <span className="text-text-3"> in {title}</span>}
      <p className="break-words text-text-2">
        {excerpt.map((piece, at) => (
          // Pieces have no identity other than their place.
          // oxlint-disable-next-line react/no-array-index-key
          <Marked key={at} piece={piece} />
        ))}
      </p>
    </li>
  )
}

function Marked({ piece }: { piece: Piece }) {
  return piece.isHit ? (
    <mark className="bg-warning-soft text-text-1">{piece.text}</mark>
  ) : (
    piece.text
  )
}
