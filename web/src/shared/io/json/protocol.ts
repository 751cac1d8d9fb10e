import type { JsonIndex } from './model/buildIndex'

/** A request to the worker. */
export type Question =
  { kind: 'index'; text: string; mayBeCut: boolean } | { kind: 'search'; query: string }

/** A response from the worker. Without an index the text is not JSON. */
export type Answer =
  | { kind: 'index'; index: JsonIndex | undefined }
  | { kind: 'search'; query: string; offsets: Uint32Array<ArrayBuffer> }
