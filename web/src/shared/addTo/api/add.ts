import { projectApi, unwrap } from '@/shared/api'
import { Json } from '@/shared/io'
import { readPath, valueAt, type ItemMapping, type ItemPart } from '../model/mapping'
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
  { datasetName, mapping }: { datasetName: string; mapping: ItemMapping },
) {
  const params = { path: { projectId, observationId }, query: { traceId } }
  const detail = await unwrap(
    projectApi(projectId).GET('/observations/{observationId}/detail', { params }),
  )
  const hasMetadata = isTrace && detail.texts.traceMetadata !== null
  const shown = {
    ...shownTexts(detail.texts, isTrace),
    metadata: hasMetadata ? ('traceMetadata' as const) : ('metadata' as const),
  }
  const whole = (field: (typeof shown)[keyof typeof shown]) =>
    detail.cut[field]
      ? unwrap(
          projectApi(projectId).GET('/observations/{observationId}/io/{field}', {
            params: { ...params, path: { ...params.path, field } },
            parseAs: 'text',
          }),
        )
      : detail.texts[field]
  const partOf = async (part: ItemPart) => {
    const { from, path } = mapping[part]
    if (from === 'nothing') return null
    const text = await whole(shown[from])
    return path.trim() === '$' ? text : textAt(text, path, from)
  }
  const input = await partOf('input')
  const expectedOutput = await partOf('expectedOutput')
  const metadata = await partOf('metadata')
  return unwrap(
    projectApi(projectId).POST('/dataset-items', {
      body: {
        datasetName,
        // An item needs an input; strings that hold JSON are stored as the JSON value.
        input: input ?? '{}',
        expectedOutput: expectedOutput ?? undefined,
        metadata: metadata ?? undefined,
        sourceTraceId: traceId,
        sourceObservationId: isTrace ? undefined : observationId,
      },
    }),
  )
}

/** What is at a path, as JSON. */
function textAt(text: string | null, path: string, what: string): string {
  const read = readPath(path)
  if ('problem' in read) throw new Error(read.problem)
  const value = text === null ? undefined : Json.parse(text)
  const found = value && valueAt(value, read.steps)
  if (!found) throw new Error(`The ${what} has nothing at ${path.trim()}`)
  return found.raw
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
