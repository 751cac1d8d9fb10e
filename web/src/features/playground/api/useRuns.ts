import { useEffect, useMemo, useRef, useState } from 'react'
import { projectStream, unreached } from '@/shared/api'
import { streamEvents, type StreamStatus } from '@/shared/stream'
import type { RunRequest } from '../model/compile'
import { emptyAnswer, gather, type Answer } from '../model/gather'
import { newId } from '../model/state'

/** A run of a window: one answer. */
export type Run = {
  id: string
  paneId: string
  /** The row of the dataset that the variables come from. */
  rowId: string | null
  status: StreamStatus
  /** Whether it waits until others have finished. */
  isWaiting: boolean
  answer: Answer
  error?: unknown
}

export type NewRun = { paneId: string; rowId: string | null; request: RunRequest }

/**
 * Browsers open six connections to a server that speaks HTTP/1.1. Streams keep theirs until they end, and the rest of the
 * page needs some as well, so further runs wait for their turn here.
 */
const mostStreams = 4

/** Runs of models, some at a time. Leaving the page ends them: the server notices that the request is closed. */
export function useRuns(projectId: string) {
  const [runs, setRuns] = useState<readonly Run[]>([])
  const queue = useRef<{ run: Run; request: RunRequest }[]>([])
  const active = useRef(new Map<string, AbortController>())
  const frame = useRef<number>(undefined)
  const latest = useRef(new Map<string, Run>())

  const control = useMemo(() => {
    const show = () => {
      frame.current = undefined
      setRuns([...latest.current.values()])
    }
    const note = (run: Run, isUrgent: boolean) => {
      if (!latest.current.has(run.id)) return
      latest.current.set(run.id, run)
      if (isUrgent) {
        if (frame.current !== undefined) cancelAnimationFrame(frame.current)
        show()
      }
      // Answers have hundreds of events a second; the screen has sixty pictures.
      else frame.current ??= requestAnimationFrame(show)
    }
    const next = () => {
      while (active.current.size < mostStreams) {
        const waiting = queue.current.shift()
        if (!waiting) return
        void perform(waiting.run, waiting.request)
      }
    }
    const perform = async (begun: Run, request: RunRequest) => {
      const controller = new AbortController()
      active.current.set(begun.id, controller)
      let run: Run = { ...begun, isWaiting: false }
      note(run, true)
      try {
        const send = projectStream(projectId, 'completions', request)
        const response = await send(controller.signal).catch((cause: unknown) =>
          Promise.reject(unreached(cause)),
        )
        for await (const event of streamEvents(response)) {
          if (controller.signal.aborted) break
          const isFirst = run.answer.text === '' && run.answer.reasoning === ''
          run = { ...run, answer: gather(run.answer, event) }
          note(run, isFirst)
        }
        run = { ...run, status: controller.signal.aborted ? 'cancelled' : 'done' }
      } catch (error) {
        run = controller.signal.aborted
          ? { ...run, status: 'cancelled' }
          : { ...run, status: 'failed', error }
      }
      active.current.delete(run.id)
      note(run, true)
      next()
    }
    const cancel = (isMeant: (run: Run) => boolean) => {
      queue.current = queue.current.filter(({ run }) => {
        if (!isMeant(run)) return true
        const stopped: Run = { ...run, isWaiting: false, status: 'cancelled' }
        if (latest.current.has(run.id)) latest.current.set(run.id, stopped)
        return false
      })
      for (const run of latest.current.values())
        if (isMeant(run)) active.current.get(run.id)?.abort()
      show()
    }
    return {
      /** Starts runs; earlier ones of the same windows are dropped. */
      start: (wanted: readonly NewRun[]) => {
        const panes = new Set(wanted.map(({ paneId }) => paneId))
        cancel(({ paneId }) => panes.has(paneId))
        for (const [id, { paneId }] of latest.current)
          if (panes.has(paneId)) latest.current.delete(id)
        for (const { request, ...rest } of wanted) {
          const run: Run = {
            ...rest,
            id: newId(),
            status: 'running',
            isWaiting: true,
            answer: emptyAnswer,
          }
          latest.current.set(run.id, run)
          queue.current.push({ run, request })
        }
        show()
        next()
      },
      cancel,
      forget: (paneId: string) => {
        cancel((run) => run.paneId === paneId)
        for (const [id, run] of latest.current) if (run.paneId === paneId) latest.current.delete(id)
        show()
      },
    }
  }, [projectId])

  // Requests are outside React.
  useEffect(() => {
    const [running, shown] = [active.current, latest.current]
    return () => {
      queue.current = []
      shown.clear()
      for (const controller of running.values()) controller.abort()
      if (frame.current !== undefined) cancelAnimationFrame(frame.current)
    }
  }, [])

  return { runs, ...control }
}
