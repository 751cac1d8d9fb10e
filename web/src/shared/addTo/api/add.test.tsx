import { expect, test, vi } from 'vitest'
import { usualMapping, type ItemMapping } from '../model/mapping'
import { addDatasetItem } from './add'

type Names = 'input' | 'output' | 'metadata' | 'traceInput' | 'traceOutput' | 'traceMetadata'
type Texts = Record<Names, string | null>

/** Adds an item from a trace or an observation with these texts, and returns what is stored. */
async function stored(
  texts: Texts,
  isTrace: boolean,
  cut: object = {},
  mapping: ItemMapping = usualMapping,
) {
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
  await addDatasetItem('p', source, { datasetName: 'd', mapping })
  return body
}

const texts = {
  input: 'inner',
  output: 'inner out',
  metadata: '{"n":1}',
  traceInput: 'asked',
  traceOutput: 'answered',
  traceMetadata: null,
}

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

test('parts of the texts become parts of the item, as they are written', async () => {
  const mapping: ItemMapping = {
    input: { from: 'input', path: '$.messages[-1].content' },
    expectedOutput: { from: 'nothing', path: '$' },
    metadata: { from: 'metadata', path: '$.n' },
  }
  const input = '{"messages":[{"content":"first"},{"content":{"id":12345678901234567890}}]}'
  expect(await stored({ ...texts, input }, false, {}, mapping)).toEqual({
    datasetName: 'd',
    input: '{"id":12345678901234567890}',
    metadata: '1',
    sourceTraceId: 't',
    sourceObservationId: 'o',
  })
  await expect(stored(texts, false, {}, mapping)).rejects.toThrow(
    'The input has nothing at $.messages[-1].content',
  )
})
