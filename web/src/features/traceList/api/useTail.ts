import { useEffect, useEffectEvent, useReducer } from 'react'
import { messageOf, projectTail, toApiError } from '@/shared/api'
import { eventsOf } from '@/shared/lib/sse'
import { nothingYet, reduceLive, retryDelay, type Live } from '../model/live'
import type { Row } from '../model/rows'
import type { Table } from '../model/view'

/** Follows the rows that arrive. A hidden tab is disconnected and resumes where it left off. */
export function useTail(
  projectId: string,
  table: Table,
  parameters: string,
  isEnabled: boolean,
  onReady: () => void,
): Live &
  Record<'onShown' | 'onAsked' | 'onAnswered', () => void> &
  Record<'onStreamed', (rows: Row[]) => void> {
  const [live, dispatch] = useReducer(reduceLive, nothingYet)
  const onRows = useEffectEvent((rows: Row[], skipped: number) =>
    dispatch({ type: 'rows', rows, skipped, table }),
  )

  const onBegin = useEffectEvent(onReady)

  // The connection is outside React: it is opened and closed with the query.
  useEffect(() => {
    dispatch({ type: 'shown' })
    if (!isEnabled) return
    let ending = new AbortController()
    let lastId = ''
    let failures = 0
    let timer: ReturnType<typeof setTimeout> | undefined

    const again = (message: string, atLeast = 0) => {
      const seconds = Math.max(atLeast, retryDelay(failures++, Math.random()))
      dispatch({
        type: 'connection',
        connection: { status: 'waiting', message, seconds: Math.ceil(seconds) },
      })
      timer = setTimeout(() => void follow(ending.signal), seconds * 1000)
    }
    const follow = async (signal: AbortSignal) => {
      dispatch({ type: 'connection', connection: { status: 'connecting' } })
      let reason = 'The connection was lost.'
      try {
        const answer = await projectTail(projectId, parameters, lastId, signal)
        if (!answer.ok || answer.body === null) {
          const error = toApiError(answer.status, await answer.json().catch(() => undefined))
          if (error.isTemporary)
            again(error.message, Number(answer.headers.get('Retry-After')) || 0)
          else
            dispatch({
              type: 'connection',
              connection: { status: 'refused', message: messageOf(error) },
            })
          return
        }
        for await (const event of eventsOf(answer.body)) {
          if (event.id !== '') lastId = event.id
          failures = 0
          if (event.name === 'rows') {
            const { rows, skipped } = JSON.parse(event.data) as { rows: Row[]; skipped: number }
            onRows(rows, skipped)
          } else if (event.name === 'ready') onBegin()
          else if (event.name === 'gap') dispatch({ type: 'gap' })
          else if (event.name === 'end')
            reason = (JSON.parse(event.data) as { message: string }).message
          if (event.name !== 'end') dispatch({ type: 'connection', connection: { status: 'open' } })
        }
      } catch {
        // The connection was lost, or was closed here and the signal is aborted.
      }
      if (!signal.aborted) again(reason)
    }
    const watch = () => {
      ending.abort()
      clearTimeout(timer)
      if (document.visibilityState === 'hidden') {
        dispatch({ type: 'connection', connection: { status: 'paused' } })
        return
      }
      ending = new AbortController()
      void follow(ending.signal)
    }
    watch()
    document.addEventListener('visibilitychange', watch)
    return () => {
      document.removeEventListener('visibilitychange', watch)
      ending.abort()
      clearTimeout(timer)
    }
  }, [projectId, parameters, isEnabled])

  return {
    ...live,
    onShown: () => dispatch({ type: 'shown' }),
    onStreamed: (rows) => dispatch({ type: 'streamed', rows }),
    onAsked: () => dispatch({ type: 'asked' }),
    onAnswered: () => dispatch({ type: 'answered' }),
  }
}
