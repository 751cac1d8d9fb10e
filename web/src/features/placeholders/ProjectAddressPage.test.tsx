import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const json = (text: string) => () =>
  new Response(text, { headers: { 'Content-Type': 'application/json' } })

test('raw data has the digits that are stored', async () => {
  const dataset = '{"id":"d1","name":"sums","metadata":{"id":12345678901234567890}}'
  renderApp('/project/p-search/datasets/d1/items', {
    'GET /api/ui/auth/session': signedIn('datasets:read'),
    'GET /api/ui/projects/p-search/v2/datasets': json(
      `{"data":[${dataset}],"meta":{"totalPages":1}}`,
    ),
    'GET /api/ui/projects/p-search/dataset-items': json('{"data":[{"input":9007199254740993}]}'),
  })
  const shown = await screen.findByLabelText('raw data')
  expect(shown.textContent).toContain('"id": 12345678901234567890')
  expect(shown.textContent).toContain('"input": 9007199254740993')
})
