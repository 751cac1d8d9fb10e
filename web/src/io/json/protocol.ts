import type { JsonIndex } from './model/buildIndex'

/** What is asked of the worker. */
export type Question =
  { kind: 'index'; text: string; mayBeCut: boolean } | { kind: 'search'; query: string }

/** What it answers. Without an index the text is not JSON. */
export type Answer =
  | { kind: 'index'; index: JsonIndex | undefined }
  | { kind: 'search'; query: string; offsets: Uint32Array<ArrayBuffer> }
