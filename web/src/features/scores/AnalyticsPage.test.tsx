import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

test('names of scores that could not be loaded are not taken for none', async () => {
  renderApp('/project/p-agents/scores/analytics', {
    'GET /api/ui/auth/session': signedIn('scores:read'),
    'GET /api/ui/projects/p-agents/v2/metrics': () => refusal(400, 'out of luck'),
  })
  await screen.findByText('out of luck')
  expect(screen.queryByText('No scores in this time range')).toBeNull()
})
