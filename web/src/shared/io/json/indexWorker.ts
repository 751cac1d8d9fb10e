import { buildIndex } from './model/buildIndex'
import { searchOffsets } from './model/search'
import type { Answer, Question } from './protocol'

/** Indexes and searches large texts off the main thread. It keeps the text of the last index request. */
let text = ''

const answer = (message: Answer, transfer: Transferable[]) =>
  globalThis.postMessage(message, { transfer })

globalThis.addEventListener('message', ({ data }: MessageEvent<Question>) => {
  if (data.kind === 'search') {
    const offsets = searchOffsets(text, data.query)
    answer({ kind: 'search', query: data.query, offsets }, [offsets.buffer])
    return
  }
  text = data.text
  const index = buildIndex(text, data.mayBeCut)
  const { kinds, starts, ends, keys, parents, positions, sizes, afters } = index ?? {}
  const columns = [kinds, starts, ends, keys, parents, positions, sizes, afters]
  answer(
    { kind: 'index', index },
    columns.flatMap((column) => (column ? [column.buffer as ArrayBuffer] : [])),
  )
})
