import { lineDiff } from './model/lineDiff'

export type DiffQuestion = { before: string; after: string }

/** Compares texts off the main thread. */
globalThis.addEventListener('message', ({ data }: MessageEvent<DiffQuestion>) => {
  globalThis.postMessage(lineDiff(data.before, data.after), {})
})
