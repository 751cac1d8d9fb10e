import { toApiError } from '@/shared/api'
import { Json } from '@/shared/io'
import { eventsOf } from '@/shared/lib/sse'

/** A part of a streamed answer: its name, and its data as it was sent. */
export type StreamEvent = { name: string; data: string }

/**
 * The events of an answer, as they arrive: server-sent events, or lines of JSON, whose name is their member "type". An
 * event named "error" is thrown, and so is an answer that ends without an event named "done".
 */
export async function* streamEvents(response: Response): AsyncGenerator<StreamEvent> {
  if (!response.ok) throw toApiError(response.status, await bodyOf(response))
  if (!response.body) throw endedEarly()
  const isLines = /ndjson|jsonl|json-seq/.test(response.headers.get('Content-Type') ?? '')
  for await (const event of isLines ? linesOf(response.body) : eventsOf(response.body)) {
    if (event.name === '') continue // keeps the connection alive
    if (event.name === 'error') throw errorOf(event.data)
    yield { name: event.name, data: event.data }
    if (event.name === 'done') return
  }
  throw endedEarly()
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      const lines = (rest + (value ?? '')).split('\n')
      rest = done ? '' : (lines.pop() ?? '')
      for (const line of lines)
        if (line.trim() !== '')
          yield { name: Json.parse(line)?.get('type').string ?? 'message', data: line }
      if (done) return
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

/** The error of an event; its status says that the same request may succeed later. */
function errorOf(data: string): Error {
  const body = Json.parse(data)
  return toApiError(0, {
    message: body?.get('message').string ?? 'The answer broke off.',
    error: body?.get('error').string ?? 'stream',
  })
}

function endedEarly(): Error {
  return toApiError(0, {
    error: 'stream',
    message: 'The answer ended before it was complete. Check your connection and try again.',
  })
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}
