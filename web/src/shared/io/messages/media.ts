import type { Json } from '../json/model/json'
import type { MediaKind, MediaPart, MediaSource } from './types'

const reference = /^@@@langfuseMedia:type=([^|@]+)\|id=([^|@]+)\|source=[^|@]+@@@$/

/** A file stored on this server, if the text is nothing but a reference to it. */
export function storedSource(text: string): MediaSource | undefined {
  const [, type, id] = reference.exec(text.trim()) ?? []
  return type === undefined || id === undefined ? undefined : { kind: 'stored', id, type }
}

/** Where the bytes of a file are: on this server, in the text, or elsewhere. Bare base64 needs a type. */
export function mediaSource(text: string, type?: string): MediaSource | undefined {
  const stored = storedSource(text)
  if (stored) return stored
  if (/^data:/i.test(text)) return { kind: 'data', uri: text }
  if (/^(?:https?|gs|s3|file):\/\//i.test(text)) return { kind: 'url', url: text }
  if (type !== undefined && text !== '' && /^[A-Za-z0-9+/_-]+={0,2}\s*$/.test(text))
    return { kind: 'data', uri: `data:${type};base64,${text.trim()}` }
  return undefined
}

/** A file as a part. Its kind comes from its type, if the type tells. */
export function mediaPart(
  text: string | undefined,
  options: { kind?: MediaKind; type?: string; name?: string } = {},
): MediaPart[] | undefined {
  const source = text === undefined ? undefined : mediaSource(text, options.type)
  if (!source) return undefined
  const type = options.type ?? typeOfSource(source)
  return [
    {
      kind: kindOfType(type) ?? options.kind ?? 'file',
      source,
      ...(type !== undefined && { type }),
      ...(options.name !== undefined && { name: options.name }),
    },
  ]
}

function typeOfSource(source: MediaSource): string | undefined {
  switch (source.kind) {
    case 'stored':
      return source.type
    case 'data':
      return /^data:([^;,]+)/i.exec(source.uri)?.[1]?.toLowerCase()
    case 'url':
      return undefined
  }
}

/** The media kind of a MIME type; undefined if it is not a known type. */
export function kindOfType(type: string | undefined): MediaKind | undefined {
  switch (type?.split('/')[0]) {
    case 'image':
      return 'image'
    case 'audio':
      return 'audio'
    case 'video':
      return 'video'
    case 'application':
    case 'text':
      return 'file'
    default:
      return undefined
  }
}

/** A MIME type such as image/png from a word such as png. */
export function typeOfWord(kind: MediaKind, word: string | undefined): string | undefined {
  if (word === undefined) return undefined
  if (word.includes('/')) return word
  if (kind === 'file') return word === 'pdf' ? 'application/pdf' : 'text/plain'
  return `${kind}/${word === 'jpg' ? 'jpeg' : word === 'mp3' ? 'mpeg' : word}`
}

/** The media kind named by a string, if it is one. */
export function mediaKind(value: Json): MediaKind | undefined {
  const word = value.string
  return word === 'image' || word === 'audio' || word === 'video' || word === 'file'
    ? word
    : undefined
}
