import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { projectApi, unwrap } from '@/api'
import { detailQuery } from './useDetail'
import { fetchText } from './useWholeText'

export function useDeleteTrace(projectId: string, traceId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      unwrap(
        projectApi(projectId).DELETE('/api/public/traces/{traceId}', {
          params: { path: { traceId } },
        }),
      ),
    // Lists must not show it any more.
    onSuccess: () => client.invalidateQueries({ queryKey: ['project', projectId] }),
  })
}

/** The names of the project's datasets. */
export function useDatasetNames(projectId: string, isEnabled: boolean) {
  return useQuery({
    queryKey: ['project', projectId, 'dataset-names'],
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const names: string[] = []
      for (let page = 1; ; page++) {
        const { data, meta } = await unwrap(
          projectApi(projectId).GET('/api/public/v2/datasets', {
            params: { query: { page, limit: 100 } },
            signal,
          }),
        )
        names.push(...data.map(({ name }) => name))
        if (page >= meta.totalPages) return names
      }
    },
  })
}

type DatasetItem = {
  datasetName: string
  isNewDataset: boolean
  observationId: string
  withOutput: boolean
}

/** Makes an item of a dataset from an observation, with its input and output as a whole. */
export function useAddToDataset(projectId: string, traceId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ datasetName, isNewDataset, observationId, withOutput }: DatasetItem) => {
      const api = projectApi(projectId)
      const detail = await client.fetchQuery(detailQuery(projectId, traceId, observationId))
      const whole = async (field: 'input' | 'output') =>
        detail.cut[field]
          ? fetchText({ projectId, traceId, observationId, field }, 0, new AbortController().signal)
          : detail.texts[field]
      const input = await whole('input')
      const expectedOutput = withOutput ? await whole('output') : null
      if (isNewDataset)
        await unwrap(api.POST('/api/public/v2/datasets', { body: { name: datasetName } }))
      return unwrap(
        api.POST('/api/public/dataset-items', {
          body: {
            datasetName,
            // An item needs an input; texts that are JSON become that JSON again.
            input: input ?? '{}',
            expectedOutput: expectedOutput ?? undefined,
            sourceTraceId: traceId,
            sourceObservationId: observationId,
          },
        }),
      )
    },
    onSuccess: () =>
      client.invalidateQueries({ queryKey: ['project', projectId, 'dataset-names'] }),
  })
}

export function useQueues(projectId: string, isEnabled: boolean) {
  return useQuery({
    queryKey: ['project', projectId, 'annotation-queue-names'],
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const { data } = await unwrap(
        projectApi(projectId).GET('/api/public/annotation-queues', {
          params: { query: { limit: 100 } },
          signal,
        }),
      )
      return data
    },
  })
}

type QueueItem = { queueId: string; observationId: string | undefined }

export function useAddToQueue(projectId: string, traceId: string) {
  return useMutation({
    mutationFn: ({ queueId, observationId }: QueueItem) =>
      unwrap(
        projectApi(projectId).POST('/api/public/annotation-queues/{queueId}/items', {
          params: { path: { queueId } },
          body: {
            objectType: observationId === undefined ? 'TRACE' : 'OBSERVATION',
            objectId: observationId ?? traceId,
            status: 'PENDING',
          },
        }),
      ),
  })
}
