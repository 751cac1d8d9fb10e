import { useMutation } from '@tanstack/react-query'
import { projectApi, unwrap } from '@/shared/api'
import { saveBlob } from '@/shared/lib/saveBlob'
import { fileName, nextCursor, rowsText } from '../model/download'

const fields = 'core,basic,time,io,metadata,model,usage,prompt,metrics,trace_context'

type Api = ReturnType<typeof projectApi>
type Read = (api: Api, cursor: string | undefined) => Promise<unknown>

/** Saves a trace as a file: all observations with their full texts, and all scores. */
export function useDownload(projectId: string, traceId: string) {
  return useMutation({
    mutationFn: async () => {
      const api = projectApi(projectId)
      const pieces: string[] = [`{"traceId":${JSON.stringify(traceId)},"observations":[`]
      await readAll(api, pieces, (each, cursor) =>
        unwrap(
          each.GET('/v2/observations', {
            params: { query: { traceId, limit: 100, fields, cursor } },
            parseAs: 'text',
          }),
        ),
      )
      pieces.push('],"scores":[')
      await readAll(api, pieces, (each, cursor) =>
        unwrap(
          each.GET('/v3/scores', {
            params: {
              query: { traceId, limit: 100, fields: 'details,subject,annotation', cursor },
            },
            parseAs: 'text',
          }),
        ),
      )
      pieces.push(']}\n')
      saveBlob(new Blob(pieces, { type: 'application/json' }), fileName(traceId))
    },
  })
}

async function readAll(api: Api, pieces: string[], read: Read): Promise<void> {
  let cursor: string | undefined
  let isFirst = true
  do {
    const page = String(await read(api, cursor))
    const rows = rowsText(page.trimEnd())
    if (rows !== '') pieces.push(isFirst ? rows : `,${rows}`)
    isFirst &&= rows === ''
    cursor = nextCursor(page.trimEnd())
  } while (cursor !== undefined)
}
