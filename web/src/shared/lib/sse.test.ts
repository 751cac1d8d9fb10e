import { expect, test } from 'vitest'
import { createEventReader, eventsOf } from './sse'

test('events come in pieces', () => {
  const read = createEventReader()
  expect(read('retry: 2000\n\nid: 7\nevent: rows\nda')).toEqual([{ id: '', name: '', data: '' }])
  expect(read('ta: {"a":1}\n')).toEqual([])
  expect(read('\n: still here\nid: 8\n\ndata: a\ndata:b\n\n')).toEqual([
    { id: '7', name: 'rows', data: '{"a":1}' },
    { id: '8', name: '', data: '' },
    { id: '8', name: 'message', data: 'a\nb' },
  ])
})

test('lines may end as on Windows', () => {
  expect(createEventReader()('id: 1\r\nevent: end\r\ndata: {}\r\n\r\n')).toEqual([
    { id: '1', name: 'end', data: '{}' },
  ])
})

test('an answer is read to its end, characters that are cut in two included', async () => {
  const bytes = new TextEncoder().encode('event: a\ndata: 当\n\nevent: b\ndata: 2\n\n')
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const found = []
  for await (const event of eventsOf(body)) found.push(`${event.name} ${event.data}`)
  expect(found).toEqual(['a 当', 'b 2'])
})
