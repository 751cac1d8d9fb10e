import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const keys = '/project/p-agents/settings/api-keys'

test('a page that the role does not allow says which one does, and offers nothing', async () => {
  renderApp(keys, { 'GET /api/ui/auth/session': signedIn('traces:read') })
  await screen.findByText(/To see the API keys you need the role Member or above in this project/)
  screen.getByRole('heading', { name: 'API keys' })
  expect(screen.queryByRole('button', { name: 'New key' })).toBeNull()
  expect(screen.queryByText(/To create keys/)).toBeNull()
})

test('who may see a page but not change anything is told which role that takes', async () => {
  renderApp(keys, {
    'GET /api/ui/auth/session': signedIn('keys:read'),
    'GET /api/ui/projects/p-agents/apiKeys': { apiKeys: [] },
  })
  await screen.findByText('To create keys you need the role Admin.')
  expect(screen.queryByRole('button', { name: 'New key' })).toBeNull()
})
