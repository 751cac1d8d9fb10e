/** Where a link on a page of the documentation leads. */
export type DocLink =
  | { kind: 'page'; page: string; anchor: string }
  | { kind: 'web'; address: string }
  /** A file of the source code, by its path from there; it is not served. */
  | { kind: 'source'; path: string }

/** Resolves a link that is written on a page of the documentation. `isPage` tells which pages are served. */
export function resolveLink(
  href: string,
  page: string,
  isPage: (name: string) => boolean,
): DocLink {
  if (/^(?:https?:\/\/|mailto:)/.test(href)) return { kind: 'web', address: href }
  const { pathname, hash } = new URL(href, `http://almanac.invalid/docs/${page}.md`)
  const name = /^\/docs\/([^/]+)\.md$/.exec(pathname)?.[1]
  return name !== undefined && isPage(name)
    ? { kind: 'page', page: name, anchor: decodeURIComponent(hash.slice(1)) }
    : { kind: 'source', path: pathname.slice(1) }
}
