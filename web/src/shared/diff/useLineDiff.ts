import { useEffect, useMemo, useState } from 'react'
import { startWorker } from '@/shared/lib/startWorker'
import type { DiffQuestion } from './diffWorker'
// Vite makes this export.
// oxlint-disable-next-line import/default
import workerScript from './diffWorker?worker&url'
import { lineDiff, type LineDiff } from './model/lineDiff'

/** Texts up to this length, both together, are compared at once: that takes less time than asking a worker. */
export const longestAtOnce = 20_000

type Texts = { before: string; after: string }
type Compared = { texts: Texts; diff: LineDiff | undefined }

/**
 * The difference between two texts, undefined if there is none to show; long ones are compared by a worker, so that nothing
 * waits for it but the difference. While it is computed, the one before it stays.
 */
export function useLineDiff(texts: Texts): { isPending: boolean; diff: LineDiff | undefined } {
  const isShort = texts.before.length + texts.after.length <= longestAtOnce
  const atOnce = useMemo(
    () => (isShort ? lineDiff(texts.before, texts.after) : undefined),
    [texts, isShort],
  )
  const [compared, setCompared] = useState<Compared>()
  // Workers are outside React.
  useEffect(() => {
    if (isShort) return
    const worker = startWorker<DiffQuestion, LineDiff | undefined>(
      workerScript,
      (diff) => setCompared({ texts, diff }),
      // Without the worker's code, as after an update of the server, the page does it itself.
      () => setCompared({ texts, diff: lineDiff(texts.before, texts.after) }),
    )
    worker.ask({ before: texts.before, after: texts.after })
    return worker.stop
  }, [texts, isShort])
  if (isShort) return { isPending: false, diff: atOnce }
  return { isPending: compared?.texts !== texts, diff: compared?.diff }
}
