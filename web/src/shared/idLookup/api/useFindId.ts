import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError, projectApi, projectKey, unwrap } from '@/shared/api'
import { basePath } from '@/shared/lib/url'
import { mayBeId, appPathOf, toFindings, type Finding } from '../model/findings'

/** The pages that a typed or pasted text leads to: an address of this server, or an id known in the project. */
export function useFindId(projectId: string | undefined, text: string) {
  const typed = text.trim()
  const wanted = useRested(typed)
  const address = appPathOf(wanted, location.origin, basePath)
  const found = useQuery({
    queryKey: projectKey(projectId ?? '', 'idLookup', wanted),
    enabled: address !== undefined || (projectId !== undefined && mayBeId(wanted)),
    staleTime: 10_000,
    retry: false,
    queryFn: async ({ signal }): Promise<Finding[]> => {
      if (address !== undefined) return [address]
      const api = projectApi(projectId ?? '')
      const one = async (query: {
        traceId?: string
        sessionId?: string
        userId?: string
        filter?: string
      }) => {
        const answer = api.GET('/v2/observations', {
          params: { query: { ...query, limit: 1 } },
          signal,
        })
        try {
          return (await unwrap(answer)).data[0]
        } catch (error) {
          // Annotators may not search: their queues have what they need.
          if (error instanceof ApiError && error.status === 403) return undefined
          throw error
        }
      }
      const [trace, session, user, observation] = await Promise.all([
        one({ traceId: wanted }),
        one({ sessionId: wanted }),
        one({ userId: wanted }),
        one({
          filter: JSON.stringify([{ type: 'string', column: 'id', operator: '=', value: wanted }]),
        }),
      ])
      return toFindings(projectId ?? '', wanted, {
        observation,
        isTrace: trace !== undefined,
        isSession: session !== undefined,
        isUser: user !== undefined,
      })
    },
  })
  const isSearching = found.isFetching || (typed !== wanted && mayBeId(typed))
  return { findings: typed === wanted ? (found.data ?? []) : [], isSearching }
}

/** How long typing has to rest before the server is asked, in milliseconds. */
const rest = 250

/** A text as soon as it has not changed for a while. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  // Timers are outside React.
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), rest)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
