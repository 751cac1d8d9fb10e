import { Braces, ListPlus } from 'lucide-react'
import { useMemo } from 'react'
import { RoleHeading } from '@/shared/io'
import { Badge, CopyButton } from '@/shared/ui'
import { MarkedText } from './MarkedText'
import { partsOf, type PromptBody, type PromptPart } from './model/body'
import { namesIn } from './model/marks'

/** The text or the messages of a prompt, with variables, placeholders and references highlighted. */
export function PromptContent({ body }: { body: PromptBody }) {
  const parts = useMemo(() => partsOf(body), [body])
  if (body.type === 'text')
    return (
      <div className="min-w-0 rounded-md border border-border">
        <MarkedText text={body.prompt} className="px-3 py-2.5" />
      </div>
    )
  if (parts.length === 0) return <p className="text-text-3">This prompt has no messages.</p>
  return (
    <ol
      aria-label="Messages"
      className="flex min-w-0 flex-col divide-y divide-border rounded-md border border-border"
    >
      {parts.map((part, at) => (
        // Messages have no identity other than their place.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={at} className="flex min-w-0 flex-col gap-1 px-3 py-2.5">
          <PartView part={part} />
        </li>
      ))}
    </ol>
  )
}

/** A message with who says it, or a placeholder. */
export function PartView({ part }: { part: PromptPart }) {
  if (part.kind === 'placeholder')
    return (
      <div className="flex min-w-0 flex-wrap items-center gap-2 text-sm text-text-3">
        <PlaceholderBadge name={part.text} /> messages are inserted here
      </div>
    )
  return (
    <>
      {part.kind === 'message' && (
        <div className="flex min-w-0 items-center">
          <RoleHeading role={part.role} />
          <CopyButton text={part.text} label="Copy message" className="ml-auto" />
        </div>
      )}
      <MarkedText text={part.text} />
    </>
  )
}

function PlaceholderBadge({ name }: { name: string }) {
  return (
    <Badge tone="accent" icon={<ListPlus aria-hidden />}>
      <span className="font-mono">{name}</span>
    </Badge>
  )
}

/** Badges beyond these are counted. */
const maxBadges = 100

/** What has to be given to use the prompt; nothing if it takes nothing. */
export function PromptVariables({ body }: { body: PromptBody }) {
  const { variables, placeholders } = useMemo(() => namesIn(body), [body])
  if (variables.length + placeholders.length === 0) return null
  const hidden = variables.length - maxBadges
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1.5 text-sm">
      <span className="text-text-3">{variables.length > 0 ? 'Variables' : 'Placeholders'}</span>
      {variables.slice(0, maxBadges).map((name) => (
        <Badge key={name} icon={<Braces aria-hidden />}>
          <span className="font-mono">{name}</span>
        </Badge>
      ))}
      {hidden > 0 && <span className="text-text-3">and {hidden} more</span>}
      {variables.length > 0 && placeholders.length > 0 && (
        <span className="ml-2 text-text-3">Placeholders</span>
      )}
      {placeholders.slice(0, maxBadges).map((name) => (
        <PlaceholderBadge key={name} name={name} />
      ))}
    </div>
  )
}
