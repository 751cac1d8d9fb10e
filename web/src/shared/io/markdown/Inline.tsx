import type { Token, Tokens } from 'marked'
import { useContext } from 'react'
import { ExternalLink } from '@/shared/ui'
import { MediaView } from '../media/MediaView'
import { mediaPart } from '../messages/media'
import { MarkdownLinks } from './links'
import { safeAddress } from './model/blocks'

/** Emphasis may be nested as well. */
const deepest = 12

type Known =
  | Tokens.Text
  | Tokens.Escape
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Del
  | Tokens.Codespan
  | Tokens.Br
  | Tokens.Link
  | Tokens.Image
  | Tokens.Tag

/** The inline content of a block, with links and emphasis. */
export function Inline({ tokens, depth = 0 }: { tokens: readonly Token[]; depth?: number }) {
  // Inline tokens have no identity other than their index.
  // oxlint-disable-next-line react/no-array-index-key
  return tokens.map((token, at) => <Word key={at} token={token as Known} depth={depth} />)
}

function Word({ token, depth }: { token: Known; depth: number }) {
  const own = useContext(MarkdownLinks)
  if (depth > deepest) return token.raw
  const inner = 'tokens' in token && token.tokens && (
    <Inline tokens={token.tokens} depth={depth + 1} />
  )
  switch (token.type) {
    case 'text':
      return inner || token.text
    case 'escape':
      return token.text
    case 'strong':
      return <strong className="font-semibold">{inner}</strong>
    case 'em':
      return <em>{inner}</em>
    case 'del':
      return <del>{inner}</del>
    case 'codespan':
      return <code className="rounded-sm bg-surface-2 px-1 font-mono text-sm">{token.text}</code>
    case 'br':
      return <br />
    case 'link': {
      if (own) return <own.Target href={token.href}>{inner}</own.Target>
      const address = safeAddress(token.href)
      // A link without a safe address is shown as it was written.
      return address === undefined ? token.raw : <ExternalLink href={address}>{inner}</ExternalLink>
    }
    case 'image': {
      if (own) return <own.Picture href={token.href} text={token.text} />
      const [part] = mediaPart(token.href, { kind: 'image', name: token.text }) ?? []
      return part ? <MediaView part={part} /> : token.raw
    }
    case 'html':
      return token.raw
    default:
      return (token as Token).raw
  }
}
