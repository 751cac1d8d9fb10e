/** How far something has come that is done to many rows. */
export type Progress = { total: number; done: number; failures: string[] }

const atOnce = 4

/** Does something to each item, a few at once, and tells how far it has come. Items that fail do not stop the others. */
export async function runAll<T>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Progress> {
  let progress: Progress = { total: items.length, done: 0, failures: [] }
  const waiting = [...items]
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      if (signal.aborted) return
      try {
        await act(item)
        progress = { ...progress, done: progress.done + 1 }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        progress = { ...progress, failures: [...progress.failures, message] }
      }
      onProgress(progress)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work))
  return progress
}

/** Items in parts of at most this size. */
export function inParts<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size))
  return parts
}
