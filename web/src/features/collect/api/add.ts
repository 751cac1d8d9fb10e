import { projectApi, ui, unwrap } from '@/api'

/** An observation or, without an observation id, the trace. */
export type Subject = { traceId: string; observationId: string | undefined }

export function createDataset(projectId: string, name: string) {
  return unwrap(projectApi(projectId).POST('/api/public/v2/datasets', { body: { name } }))
}

/** Creates a dataset item from an observation, with its full input and output. */
export async function addDatasetItem(
  projectId: string,
  { traceId, observationId }: { traceId: string; observationId: string },
  { datasetName, withOutput }: { datasetName: string; withOutput: boolean },
) {
  const params = { path: { projectId, observationId }, query: { traceId } }
  const detail = await unwrap(
    ui.GET('/api/ui/projects/{projectId}/observations/{observationId}/detail', { params }),
  )
  const whole = (field: 'input' | 'output') =>
    detail.cut[field]
      ? unwrap(
          ui.GET('/api/ui/projects/{projectId}/observations/{observationId}/io/{field}', {
            params: { ...params, path: { ...params.path, field } },
            parseAs: 'text',
          }),
        )
      : detail.texts[field]
  const input = await whole('input')
  const output = withOutput ? await whole('output') : null
  return unwrap(
    projectApi(projectId).POST('/api/public/dataset-items', {
      body: {
        datasetName,
        // An item needs an input; strings that hold JSON are stored as the JSON value.
        input: input ?? '{}',
        expectedOutput: output ?? undefined,
        sourceTraceId: traceId,
        sourceObservationId: observationId,
      },
    }),
  )
}

export function addQueueItem(
  projectId: string,
  queueId: string,
  { traceId, observationId }: Subject,
) {
  return unwrap(
    projectApi(projectId).POST('/api/public/annotation-queues/{queueId}/items', {
      params: { path: { queueId } },
      body: {
        objectType: observationId === undefined ? 'TRACE' : 'OBSERVATION',
        objectId: observationId ?? traceId,
        status: 'PENDING',
      },
    }),
  )
}
