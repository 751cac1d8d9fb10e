import { projectApi, unwrap } from '@/shared/api'
import { shownTexts } from '../model/shownTexts'

/** An observation or, without an observation id, the trace. */
export type Subject = { traceId: string; observationId: string | undefined }

export function createDataset(projectId: string, name: string) {
  return unwrap(projectApi(projectId).POST('/v2/datasets', { body: { name } }))
}

/** An observation, or the trace that it represents. */
export type ItemSource = { traceId: string; observationId: string; isTrace: boolean }

/** Creates a dataset item from an observation or a trace, with the full input and output that its page shows. */
export async function addDatasetItem(
  projectId: string,
  { traceId, observationId, isTrace }: ItemSource,
  { datasetName, withOutput }: { datasetName: string; withOutput: boolean },
) {
  const params = { path: { projectId, observationId }, query: { traceId } }
  const detail = await unwrap(
    projectApi(projectId).GET('/observations/{observationId}/detail', { params }),
  )
  const shown = shownTexts(detail.texts, isTrace)
  const whole = (field: (typeof shown)['input' | 'output']) =>
    detail.cut[field]
      ? unwrap(
          projectApi(projectId).GET('/observations/{observationId}/io/{field}', {
            params: { ...params, path: { ...params.path, field } },
            parseAs: 'text',
          }),
        )
      : detail.texts[field]
  const input = await whole(shown.input)
  const output = withOutput ? await whole(shown.output) : null
  return unwrap(
    projectApi(projectId).POST('/dataset-items', {
      body: {
        datasetName,
        // An item needs an input; strings that hold JSON are stored as the JSON value.
        input: input ?? '{}',
        expectedOutput: output ?? undefined,
        sourceTraceId: traceId,
        sourceObservationId: isTrace ? undefined : observationId,
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
    projectApi(projectId).POST('/annotation-queues/{queueId}/items', {
      params: { path: { queueId } },
      body: {
        objectType: observationId === undefined ? 'TRACE' : 'OBSERVATION',
        objectId: observationId ?? traceId,
        status: 'PENDING',
      },
    }),
  )
}
