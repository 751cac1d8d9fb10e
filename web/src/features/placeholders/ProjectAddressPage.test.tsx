import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const json = (text: string) => () =>
  new Response(text, { headers: { 'Content-Type': 'application/json' } })

test('raw data has the digits that are stored', async () => {
  renderApp('/project/p-search/dashboards/d1', {
    'GET /api/ui/auth/session': signedIn('traces:read'),
    'GET /api/ui/projects/p-search/unstable/dashboards/d1': json(
      '{"id":"d1","number":12345678901234567890,"input":9007199254740993}',
    ),
  })
  const shown = await screen.findByLabelText('raw data')
  expect(shown.textContent).toContain('"number": 12345678901234567890')
  expect(shown.textContent).toContain('"input": 9007199254740993')
})
