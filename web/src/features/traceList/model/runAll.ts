/** The progress of a bulk action. */
export type Progress = { total: number; done: number; failures: string[] }

const atOnce = 4

/** Performs an action on each item, a few in parallel, and reports progress. Items that fail do not stop the others. */
export function runAll<T>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Progress> {
  const actOnPart = async (part: readonly T[]) => {
    for (const item of part) await act(item)
    return []
  }
  return runParts(inParts(items, 1), actOnPart, onProgress, signal)
}

/** The same for actions on several items at a time; `act` returns why items of a part failed. */
export async function runParts<T>(
  parts: readonly (readonly T[])[],
  act: (part: readonly T[]) => Promise<string[]>,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Progress> {
  const total = parts.reduce((sum, part) => sum + part.length, 0)
  let progress: Progress = { total, done: 0, failures: [] }
  const waiting = [...parts]
  const work = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      if (signal.aborted) return
      const failed = await act(part).catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        return Array.from(part, () => message)
      })
      progress = {
        total,
        done: progress.done + part.length - failed.length,
        failures: [...progress.failures, ...failed],
      }
      onProgress(progress)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, parts.length) }, work))
  return progress
}

/** Items in parts of at most this size. */
export function inParts<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size))
  return parts
}
