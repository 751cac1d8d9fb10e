import { useEffect, useMemo, useState } from 'react'
import { startWorker } from '@/shared/lib/startWorker'
// Vite makes this export.
// oxlint-disable-next-line import/default
import workerScript from './indexWorker?worker&url'
import { buildIndex, type JsonIndex } from './model/buildIndex'
import type { JsonDocument } from './model/json'
import { searchOffsets } from './model/search'
import type { Answer, Question } from './protocol'

/** Up to this length, indexing a text is faster than asking a worker. */
const small = 200_000

export type DocumentState =
  | { kind: 'reading' }
  | { kind: 'invalid' }
  /** The worker's code is missing. */
  | { kind: 'failed' }
  | {
      kind: 'read'
      /** Different for each document. */
      id: number
      document: JsonDocument
      search: (query: string, then: (offsets: Uint32Array) => void) => void
    }

/** Indexes a text: small ones synchronously, others in a worker, which also searches them. */
export function useJsonDocument(text: string, mayBeCut: boolean): DocumentState {
  const isSmall = text.length <= small || typeof Worker === 'undefined'
  const here = useMemo(
    () => (isSmall ? stateOf(text, buildIndex(text, mayBeCut), searchHere(text)) : undefined),
    [isSmall, text, mayBeCut],
  )
  const [there, setThere] = useState<{ text: string; state: DocumentState }>()
  // Workers are outside React.
  useEffect(() => {
    if (isSmall) return
    let onSearch: ((offsets: Uint32Array) => void) | undefined
    let asked = ''
    const search = (query: string, then: (offsets: Uint32Array) => void) => {
      asked = query
      onSearch = then
      worker.ask({ kind: 'search', query })
    }
    const worker = startWorker<Question, Answer>(
      workerScript,
      (answer) => {
        if (answer.kind === 'index') setThere({ text, state: stateOf(text, answer.index, search) })
        else if (answer.query === asked) onSearch?.(answer.offsets)
      },
      () => setThere({ text, state: { kind: 'failed' } }),
    )
    worker.ask({ kind: 'index', text, mayBeCut })
    return worker.stop
  }, [isSmall, text, mayBeCut])
  return here ?? (there?.text === text ? there.state : { kind: 'reading' })
}

type Search = (query: string, then: (offsets: Uint32Array) => void) => void

function searchHere(text: string): Search {
  return (query, then) => then(searchOffsets(text, query))
}

let documents = 0

function stateOf(text: string, index: JsonIndex | undefined, search: Search): DocumentState {
  return index
    ? { kind: 'read', id: ++documents, document: { text, index }, search }
    : { kind: 'invalid' }
}
