import { layout, type LayoutQuestion } from '../model/layout'

/** Lays graphs out, so that the page does not wait. */
globalThis.addEventListener('message', ({ data }: MessageEvent<LayoutQuestion>) => {
  globalThis.postMessage(layout(data), {})
})
