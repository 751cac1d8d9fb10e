import { byteLength } from '@/shared/io'
import type { Detail, TextField } from './wire'

/** What only lists show, which is empty or shortened in a detail, and which texts are cut. */
const leftOut = new Set<string>([
  'inputPreview',
  'outputPreview',
  'metadata',
  'scores',
  'bookmarked',
  'cut',
] satisfies (keyof Detail)[])

/** An observation as JSON, with its texts in full if they are given. */
export function rawText(detail: Detail, texts: Detail['texts'] = detail.texts): string {
  const members = Object.entries({ ...detail, texts }).filter(([name]) => !leftOut.has(name))
  return JSON.stringify(Object.fromEntries(members))
}

/** How much of the texts is missing, in bytes. */
export function missingBytes({ cut, texts }: Pick<Detail, 'cut' | 'texts'>): number {
  return (Object.keys(cut) as TextField[]).reduce(
    (sum, field) => sum + (cut[field]?.bytes ?? 0) - byteLength(texts[field] ?? ''),
    0,
  )
}
