import { Link } from '@tanstack/react-router'
import { createContext, useContext, type ReactNode } from 'react'
import { MarkdownBlocks, MarkdownLinks, MarkdownWords } from '@/shared/io'
import { ExternalLink, linkClass } from '@/shared/ui'
import { pictureAddress } from '../api/files'
import { entryOf } from '../model/contents'
import type { Doc, DocSection } from '../model/doc'
import { resolveLink } from '../model/links'

/** The name of the page that is shown, from which relative links start. */
const PageName = createContext('')

const parts = { Target: DocTarget, Picture: DocPicture }

/** The text of a page. */
export function DocSections({ doc }: { doc: Doc }) {
  return (
    <PageName value={doc.page}>
      <MarkdownLinks value={parts}>
        {doc.sections.map((section) => (
          <section key={section.anchor} className="contents">
            <Heading page={doc.page} section={section} />
            <MarkdownBlocks tokens={section.blocks} depth={0} />
          </section>
        ))}
      </MarkdownLinks>
    </PageName>
  )
}

const sizes = ['text-2xl', 'text-xl pt-4', 'text-lg pt-3', 'text-base pt-2']

/** A heading, which other pages can link to. */
function Heading({ page, section }: { page: string; section: DocSection }) {
  const Level = `h${Math.min(section.depth, 4)}` as 'h1' | 'h2' | 'h3' | 'h4'
  return (
    <Level
      id={section.anchor}
      className={`group scroll-mt-12 font-semibold ${sizes[section.depth - 1] ?? 'text-base pt-2'}`}
    >
      <MarkdownWords tokens={section.heading} />{' '}
      {section.depth > 1 && (
        <Link
          to="/docs/$page"
          params={{ page }}
          hash={section.anchor}
          activeOptions={{ includeHash: true }}
          aria-label={`Link to ${section.title}`}
          className="font-normal text-text-3 opacity-0 group-hover:opacity-100 hover:text-accent focus-visible:opacity-100"
        >
          #
        </Link>
      )}
    </Level>
  )
}

/** A link to another page, to the web, or to a file of the source code, which is not here: that stays text. */
function DocTarget({ href, children }: { href: string; children: ReactNode }) {
  const link = resolveLink(href, useContext(PageName), (name) => entryOf(name) !== undefined)
  switch (link.kind) {
    case 'web':
      return <ExternalLink href={link.address}>{children}</ExternalLink>
    case 'page':
      return (
        <Link
          to="/docs/$page"
          params={{ page: link.page }}
          hash={link.anchor === '' ? undefined : link.anchor}
          activeOptions={{ includeHash: true }}
          className={linkClass}
        >
          {children}
        </Link>
      )
    case 'source':
      return <span title={`In the source code: ${link.path}`}>{children}</span>
  }
}

function DocPicture({ href, text }: { href: string; text: string }) {
  return (
    <img
      src={pictureAddress(href)}
      alt={text}
      loading="lazy"
      className="max-w-full rounded-md border border-border bg-surface-1"
    />
  )
}
