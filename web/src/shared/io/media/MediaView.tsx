import { File, Image, Music, Video } from 'lucide-react'
import { useMemo, useState } from 'react'
import { formatBytes } from '@/shared/lib/format'
import { Badge, Button, ExternalLink, Skeleton } from '@/shared/ui'
import type { MediaKind, MediaPart } from '../messages/types'
import { MediaFrame } from './MediaFrame'
import { useStoredFile } from './MediaLinks'
import { blobOf, readDataUri } from './model/dataUri'
import { useBlobAddress } from './useBlobAddress'

const icons: Record<MediaKind, typeof File> = {
  image: Image,
  audio: Music,
  video: Video,
  file: File,
}

/** Embedded files up to this size are shown without asking. */
const smallBytes = 500_000

/**
 * A file in a message. Stored and embedded files are shown; external ones are only linked, and never requested by the
 * page.
 */
export function MediaView({ part }: { part: MediaPart }) {
  switch (part.source.kind) {
    case 'stored':
      return <Stored part={part} id={part.source.id} />
    case 'data':
      return <Inline part={part} uri={part.source.uri} />
    case 'url':
      return <ExternalMedia part={part} url={part.source.url} />
  }
}

function Stored({ part, id }: { part: MediaPart; id: string }) {
  const file = useStoredFile(id)
  if (file.isPending && file.fetchStatus !== 'idle') return <Skeleton className="h-24 w-40" />
  if (!file.data)
    return (
      <MediaLabel part={part}>
        {file.isError ? 'could not be loaded' : 'is not available here'} ({id})
      </MediaLabel>
    )
  return (
    <MediaFrame
      kind={part.kind}
      type={file.data.type}
      address={file.data.url}
      size={file.data.size}
      name={part.name}
    />
  )
}

/** A file embedded in the text. */
function Inline({ part, uri }: { part: MediaPart; uri: string }) {
  const head = readDataUri(uri)
  const [isAskedFor, setAskedFor] = useState((head?.bytes ?? 0) <= smallBytes)
  const blob = useMemo(() => (isAskedFor ? blobOf(uri) : undefined), [isAskedFor, uri])
  const address = useBlobAddress(blob)
  if (!head || (isAskedFor && !blob)) return <MediaLabel part={part}>cannot be read</MediaLabel>
  if (!isAskedFor)
    return (
      <Button
        size="sm"
        icon={<Icon kind={part.kind} />}
        className="self-start"
        onPress={() => setAskedFor(true)}
      >
        Show {part.name ?? part.kind} ({head.type}, {formatBytes(head.bytes)})
      </Button>
    )
  if (address === undefined) return <Skeleton className="h-24 w-40" />
  return (
    <MediaFrame
      kind={part.kind}
      type={head.type}
      address={address}
      content={blob}
      size={head.bytes}
      name={part.name}
    />
  )
}

function ExternalMedia({ part, url }: { part: MediaPart; url: string }) {
  const address = URL.canParse(url) ? new URL(url) : undefined
  const isWeb = address?.protocol === 'https:' || address?.protocol === 'http:'
  return (
    <MediaLabel part={part}>
      {isWeb && address ? (
        <>
          <ExternalLink href={address.href}>Open at {address.host}</ExternalLink>
          <span className="text-text-3"> (nothing was loaded from there)</span>
        </>
      ) : (
        <span className="font-mono text-sm">{url}</span>
      )}
    </MediaLabel>
  )
}

function MediaLabel({ part, children }: { part: MediaPart; children: React.ReactNode }) {
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-1.5 [overflow-wrap:anywhere]">
      <Badge icon={<Icon kind={part.kind} />}>{part.name ?? part.type ?? part.kind}</Badge>
      <span className="min-w-0">{children}</span>
    </span>
  )
}

function Icon({ kind }: { kind: MediaKind }) {
  const Shape = icons[kind]
  return <Shape aria-hidden />
}
