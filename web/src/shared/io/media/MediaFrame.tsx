import { Download } from 'lucide-react'
import { useState } from 'react'
import { formatBytes } from '@/shared/lib/format'
import { linkClass } from '@/shared/ui'
import type { MediaKind } from '../messages/types'
import { PdfView } from './PdfView'
import { SvgImage } from './SvgImage'

type MediaFrameProps = {
  kind: MediaKind
  type: string
  /** A URL of this origin, or a blob URL. */
  address: string
  /** The bytes of an embedded file. */
  content?: Blob
  size: number
  name?: string
}

const imageClass = 'max-h-96 max-w-full rounded-md border border-border bg-surface-1 object-contain'

/** A file, shown or played, with its name, size and a download link. */
export function MediaFrame(props: MediaFrameProps) {
  const { type, address, size } = props
  const name = props.name ?? type
  return (
    <figure className="flex max-w-full flex-col items-start gap-1">
      <Content {...props} name={name} />
      <figcaption className="flex items-center gap-2 text-sm text-text-3">
        <span className="[overflow-wrap:anywhere]">
          {name}, {formatBytes(size)}
        </span>
        <a href={address} download={name} className={linkClass}>
          <Download aria-hidden className="mr-0.5 inline size-3.5" />
          Download
        </a>
      </figcaption>
    </figure>
  )
}

function Content({ kind, type, address, content, name }: MediaFrameProps & { name: string }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <p className="text-text-3">This browser cannot show {type}.</p>
  const onError = () => setBroken(true)
  switch (kind) {
    case 'image':
      return type === 'image/svg+xml' ? (
        <SvgImage
          address={address}
          content={content}
          alt={name}
          onError={onError}
          className={imageClass}
        />
      ) : (
        <img src={address} alt={name} onError={onError} className={imageClass} />
      )
    case 'audio':
      return (
        // Recordings have no captions.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio
          controls
          preload="metadata"
          src={address}
          onError={onError}
          aria-label={name}
          className="max-w-full"
        />
      )
    case 'video':
      return (
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          controls
          preload="metadata"
          src={address}
          onError={onError}
          aria-label={name}
          className="max-h-96 max-w-full rounded-md border border-border"
        />
      )
    case 'file':
      return type === 'application/pdf' ? <PdfView address={address} name={name} /> : null
  }
}
