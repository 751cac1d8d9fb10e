import { useEffect, useRef, useState } from 'react'
import { unreached } from '@/shared/api'
import { streamEvents, type StreamEvent } from './model/streamEvents'

export type StreamStatus = 'idle' | 'running' | 'done' | 'cancelled' | 'failed'

type Stream<S> = { state: S; status: StreamStatus; error: unknown }

/**
 * A streamed answer, gathered event by event. What has arrived stays when it is cancelled or fails. Another start, and
 * leaving the page, cancel the answer that is running; the server notices, because the request is closed.
 */
export function useStream<S>(initial: S, gather: (state: S, event: StreamEvent) => S) {
  const [stream, setStream] = useState<Stream<S>>({
    state: initial,
    status: 'idle',
    error: undefined,
  })
  const running = useRef<AbortController>(undefined)
  // A request is outside React.
  useEffect(() => () => running.current?.abort(), [])

  const start = async (send: (signal: AbortSignal) => Promise<Response>) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const isCurrent = () => running.current === controller
    let state = initial
    let frame: number | undefined
    const show = (status: StreamStatus, error?: unknown) => {
      if (frame !== undefined) cancelAnimationFrame(frame)
      frame = undefined
      if (isCurrent()) setStream({ state, status, error })
    }
    show('running')
    try {
      const response = await send(controller.signal).catch((cause: unknown) =>
        Promise.reject(unreached(cause)),
      )
      for await (const event of streamEvents(response)) {
        if (controller.signal.aborted) break
        state = gather(state, event)
        // Answers have hundreds of events a second; the screen has sixty pictures.
        frame ??= requestAnimationFrame(() => show('running'))
      }
      show(controller.signal.aborted ? 'cancelled' : 'done')
    } catch (error) {
      if (controller.signal.aborted) show('cancelled')
      else show('failed', error)
    }
  }
  return {
    ...stream,
    isRunning: stream.status === 'running',
    start: (send: (signal: AbortSignal) => Promise<Response>) => void start(send),
    cancel: () => running.current?.abort(),
  }
}
