import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { refusal } from '@/test/renderApp'
import type { StreamEvent } from './model/streamEvents'
import { StreamedAnswer } from './StreamedAnswer'
import { useStream } from './useStream'

/** An answer that a test writes piece by piece. */
function answer(type: string) {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let signal: AbortSignal | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given
    },
  })
  return {
    send: async (given: AbortSignal) => {
      signal = given
      given.addEventListener('abort', () =>
        controller?.error(new DOMException('aborted', 'AbortError')),
      )
      return new Response(body, { headers: { 'Content-Type': type } })
    },
    write: (text: string) => controller?.enqueue(encoder.encode(text)),
    end: () => controller?.close(),
    isAborted: () => signal?.aborted,
  }
}

type State = { text: string; usage?: string }

function gather(state: State, { name, data }: StreamEvent): State {
  if (name === 'delta') return { ...state, text: state.text + data.replace(/\W/g, '') }
  return name === 'usage' ? { ...state, usage: data } : state
}

function Example({ send }: { send: (signal: AbortSignal) => Promise<Response> }) {
  const { state, status, error, start, cancel } = useStream<State>({ text: '' }, gather)
  return (
    <>
      <button onClick={() => start(send)}>Run</button>
      <StreamedAnswer label="Answer" {...state} status={status} error={error} onCancel={cancel} />
    </>
  )
}

const show = async (send: (signal: AbortSignal) => Promise<Response>) => {
  const user = userEvent.setup()
  const shown = render(<Example send={send} />)
  await user.click(screen.getByRole('button', { name: 'Run' }))
  return { user, ...shown }
}

test('events are gathered as they arrive, and what it took comes at the end', async () => {
  const { send, write, end } = answer('text/event-stream')
  await show(send)
  write('event: delta\ndata: "Hel"\n\n: alive\n\nevent: del')
  await screen.findByText('Hel')
  expect(screen.getByRole('status').textContent).toBe('Answering…')
  write('ta\ndata: "lo"\n\nevent: usage\ndata: 12 tokens\n\nevent: done\ndata: {}\n\n')
  end()
  await screen.findByText('Hello')
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Complete. 12 tokens'))
})

test('stopping closes the request and keeps what has arrived', async () => {
  const { send, write, isAborted } = answer('text/event-stream')
  const { user } = await show(send)
  write('event: delta\ndata: "Hel"\n\n')
  await screen.findByText('Hel')
  await user.click(screen.getByRole('button', { name: 'Stop' }))
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Stopped.'))
  expect(isAborted()).toBe(true)
  screen.getByText('Hel')
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
})

test('an error in the middle is said below what has arrived', async () => {
  const { send, write } = answer('application/x-ndjson')
  await show(send)
  write('{"type":"delta"')
  write(',"x":1}\n\n{"type":"error","message":"The provider is overloaded."}\n')
  await screen.findByText('The provider is overloaded.')
  screen.getByText('typedeltax1')
})

test('an answer that just ends is not complete', async () => {
  const { send, write, end } = answer('text/event-stream')
  await show(send)
  write('event: delta\ndata: "Hel"\n\n')
  end()
  await screen.findByText(/ended before it was complete/)
  screen.getByText('Hel')
})

test.each([
  [async () => refusal(429, 'Too many runs at once.'), 'Too many runs at once.'],
  [() => Promise.reject(new TypeError('fetch failed')), /server cannot be reached/],
])('a request that is refused or does not arrive', async (send, message) => {
  await show(send)
  await screen.findByText(message)
})

test('leaving the page closes the request', async () => {
  const { send, isAborted } = answer('text/event-stream')
  const { unmount } = await show(send)
  await waitFor(() => expect(isAborted()).toBe(false))
  unmount()
  expect(isAborted()).toBe(true)
})
