import { expect, test, vi } from 'vitest'
import { addDatasetItem } from './add'

type Texts = Record<'input' | 'output' | 'traceInput' | 'traceOutput', string | null>

/** Adds an item from a trace or an observation with these texts, and returns what is stored. */
async function stored(texts: Texts, isTrace: boolean, cut: object = {}) {
  let body: Record<string, unknown> = {}
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url)
    if (request.method === 'POST') {
      body = (await request.json()) as typeof body
      return Response.json({ id: 'i' })
    }
    if (pathname.endsWith('/detail')) return Response.json({ texts, cut })
    return new Response(`all of ${pathname.split('/').at(-1)}`)
  })
  const source = { traceId: 't', observationId: 'o', isTrace }
  await addDatasetItem('p', source, { datasetName: 'd', withOutput: true })
  return body
}

const texts = { input: 'inner', output: 'inner out', traceInput: 'asked', traceOutput: 'answered' }

test('an item of a trace gets the texts that the page of the trace shows', async () => {
  expect(await stored(texts, true)).toEqual({
    datasetName: 'd',
    input: 'asked',
    expectedOutput: 'answered',
    sourceTraceId: 't',
  })
  const without = { ...texts, traceInput: null, traceOutput: null }
  expect(await stored(without, true)).toMatchObject({ input: 'inner', expectedOutput: 'inner out' })
})

test('an item of an observation gets those of the observation', async () => {
  expect(await stored(texts, false)).toMatchObject({
    input: 'inner',
    expectedOutput: 'inner out',
    sourceObservationId: 'o',
  })
})

test('long texts are stored whole', async () => {
  const cut = { traceInput: { truncated: true, bytes: 100_000 } }
  expect(await stored(texts, true, cut)).toMatchObject({
    input: 'all of traceInput',
    expectedOutput: 'answered',
  })
})
