import { layout, type LayoutQuestion } from '../model/layout'

/** Computes graph layouts off the main thread. */
globalThis.addEventListener('message', ({ data }: MessageEvent<LayoutQuestion>) => {
  globalThis.postMessage(layout(data), {})
})
