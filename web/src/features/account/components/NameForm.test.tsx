import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const rename = 'PATCH /api/ui/account'

test('a name is not sent empty, and what the server says about it stands at the field', async () => {
  const { sent, user } = renderApp('/account/settings', {
    'GET /api/ui/auth/session': signedIn(),
    'GET /api/ui/auth/sessions': { sessions: [] },
    [rename]: () => refusal(400, 'Invalid request', { name: 'is too long' }),
  })
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.clear(name)
  await user.keyboard('{Enter}')
  await screen.findByText('Enter your name')
  expect(sent).toEqual([])
  await user.type(name, 'Countess{Enter}')
  await screen.findByText('is too long')
  expect(sent).toEqual([[rename, { name: 'Countess' }]])
})
