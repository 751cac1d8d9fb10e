import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderAlone } from '@/test/renderAlone'
import { TurnMessagesView } from './TurnMessagesView'

const unset = {
  output: null,
  metadata: null,
  statusMessage: null,
  modelParameters: null,
  toolDefinitions: null,
  toolCalls: null,
  traceInput: null,
  traceOutput: null,
  traceMetadata: null,
  experimentExpectedOutput: null,
  experimentMetadata: null,
  experimentItemMetadata: null,
}

test('the whole of a long input is loaded with its end', async () => {
  const asked: (string | null)[] = []
  const user = renderAlone(
    <TurnMessagesView
      projectId="p"
      detail={{
        id: 'o1',
        traceId: 't1',
        updatedAt: '2026-11-16T12:00:00.000Z',
        texts: { ...unset, input: 'the begin' },
        cut: { input: { truncated: true, bytes: 17 } },
      }}
      said={{
        kind: 'messages',
        messages: [{ role: 'user', parts: [{ kind: 'text', text: 'the begin' }] }],
        before: 0,
      }}
      field="input"
      text="input"
    />,
    async (request) => {
      asked.push(request.headers.get('Range'))
      return new Response('ning and the end')
    },
  )
  await user.click(screen.getByRole('button', { name: 'Show the whole input' }))
  await screen.findByText('the beginning and the end')
  expect(asked).toEqual(['bytes=9-'])
})
