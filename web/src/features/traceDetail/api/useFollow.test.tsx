import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { useDeferredValue } from 'react'
import { expect, test, vi } from 'vitest'
import { Transcript } from '../components/Transcript'
import { wireTree, type Span } from '../model/testing'
import { buildTree } from '../model/tree'
import { useDetail } from './useDetail'
import { useFollow } from './useFollow'
import { useLog } from './useLog'

const traceOf = (spans: Span[]) => {
  const wire = wireTree(spans)
  return { wire, tree: buildTree(wire) }
}
const root: Span = { id: 'root', start: 0, type: 'AGENT' }
const call = (n: number, end?: number): Span => ({
  id: `call${n}`,
  parent: 'root',
  start: n,
  end,
  type: 'GENERATION',
})

function Example({ trace }: { trace: ReturnType<typeof traceOf> | undefined }) {
  const traceId = 't1'
  useFollow('p', trace)
  // As on the page, the selection renders after the tree.
  const isTreeShown = useDeferredValue(trace !== undefined, false)
  const detail = useDetail('p', traceId, 'call2')
  const log = useLog('p', traceId)
  return (
    <>
      <p>selected: {detail.data?.texts.output ?? 'nothing'}</p>
      <p>log: {log.data?.pages.flatMap((page) => page.rows.map(({ id }) => id)).join(' ')}</p>
      {trace && isTreeShown && (
        <Transcript projectId="p" traceId={traceId} tree={trace.tree} onSelect={() => {}} />
      )}
    </>
  )
}

test('what is read of a trace that runs is read again when the trace grows, without a gap', async () => {
  const stored = new Map([
    ['call1', '"first"'],
    ['call2', null as string | null],
  ])
  const asked: string[] = []
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    const id = /observations\/([^/]+)\/detail/.exec(url)?.[1]
    if (id === undefined)
      return Response.json({ rows: [...stored.keys()].map((each) => ({ id: each })), cursor: null })
    asked.push(id)
    const texts = { input: null, output: stored.get(id) ?? null, statusMessage: null }
    return Response.json({ id, traceId: 't1', texts, cut: {} })
  })
  const client = new QueryClient()
  const show = (...spans: Span[]) => (
    <QueryClientProvider client={client}>
      <Example trace={traceOf(spans)} />
    </QueryClientProvider>
  )
  const { rerender } = render(show(root, call(1, 2), call(2)))
  await screen.findByText('selected: nothing')
  await screen.findByText('first')
  await screen.findByText('log: call1 call2')

  stored.set('call2', '"second"').set('call3', '"third"')
  asked.length = 0
  rerender(show(root, call(1, 2), call(2, 3), call(3)))
  // The messages stay until more have been loaded.
  screen.getByText('first')
  await screen.findByText('selected: "second"')
  await screen.findByText('second')
  await screen.findByText('third')
  await screen.findByText('log: call1 call2 call3')
  // Observations that had ended before are not requested again.
  expect(asked.toSorted()).toEqual(['call2', 'call3'])
})

test('what was read before the trace itself, as with its session, is read again with it', async () => {
  const texts = (output: string | null) => ({ input: null, output, statusMessage: null })
  const detail = { id: 'call2', traceId: 't1', cut: {} }
  vi.stubGlobal('fetch', async ({ url }: Request) =>
    Response.json(
      url.includes('/detail') ? { ...detail, texts: texts('"now"') } : { rows: [], cursor: null },
    ),
  )
  const client = new QueryClient()
  client.setQueryData(['project', 'p', 'trace', 't1', 'detail', 'call2'], {
    ...detail,
    texts: texts(null),
  })
  const show = (trace?: ReturnType<typeof traceOf>) => (
    <QueryClientProvider client={client}>
      <Example trace={trace} />
    </QueryClientProvider>
  )
  const { rerender } = render(show())
  screen.getByText('selected: nothing')
  rerender(show(traceOf([root, call(2, 3)])))
  await screen.findByText('selected: "now"')
  await screen.findByText('now')
})
