import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import type { Source } from '@/shared/legacyUrls'

type Api = ReturnType<typeof projectApi>
/** Responses are taken as text: parsing would change large numbers. */
type Options = { signal: AbortSignal; parseAs: 'text' }

const maxRows = 50

/** The data of an address, as the server stores it. */
export function useRaw(projectId: string, source: Source) {
  return useQuery({
    queryKey: projectKey(projectId, 'placeholders', source),
    enabled: source.from !== 'nothing',
    queryFn: ({ signal }) => load(projectApi(projectId), source, { signal, parseAs: 'text' }),
  })
}

/** Loads the data as JSON text. Lists are cut to one page; the page says so. */
export function load(api: Api, source: Source, options: Options): Promise<string> {
  const page = { query: { limit: maxRows } }
  switch (source.from) {
    case 'nothing':
      return Promise.resolve('null')
    case 'evaluators':
      return unwrap(api.GET('/v2/evaluators', { params: page, ...options }))
    case 'evaluator':
      return unwrap(
        api.GET('/v2/evaluators/{evaluatorId}', {
          params: { path: { evaluatorId: source.id } },
          ...options,
        }),
      )
    case 'evaluation-rules':
      return unwrap(api.GET('/v2/evaluation-rules', { params: page, ...options }))
    case 'dashboards':
      return unwrap(api.GET('/unstable/dashboards', { params: page, ...options }))
    case 'dashboard':
      return unwrap(
        api.GET('/unstable/dashboards/{dashboardId}', {
          params: { path: { dashboardId: source.id } },
          ...options,
        }),
      )
    case 'widgets':
      return unwrap(api.GET('/unstable/dashboard-widgets', { params: page, ...options }))
    case 'widget':
      return unwrap(
        api.GET('/unstable/dashboard-widgets/{widgetId}', {
          params: { path: { widgetId: source.id } },
          ...options,
        }),
      )
  }
}
