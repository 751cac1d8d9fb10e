import { screen } from '@testing-library/react'
import { onTestFinished, test, vi } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

test('a link that the browser does not let be copied is told of', async () => {
  const view = {
    id: 'v1',
    name: 'Mine',
    table: 'traces',
    shared: false,
    state: {},
    isMyDefault: false,
    isProjectDefault: false,
    createdAt: '2026-11-16T12:00:00.000Z',
    updatedAt: '2026-11-16T12:00:00.000Z',
  }
  const { user } = renderApp('/project/p-agents/traces?viewId=v1', {
    'GET /api/ui/auth/session': signedIn('traces:read'),
    'GET /api/ui/projects/p-agents/views': { views: [view] },
  })
  // As over plain HTTP.
  const clipboard = vi.spyOn(navigator, 'clipboard', 'get')
  clipboard.mockReturnValue(undefined as unknown as Clipboard)
  onTestFinished(() => clipboard.mockRestore())
  await user.click(await screen.findByRole('button', { name: 'Mine' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Copy link' }))
  await screen.findByText('It could not be copied')
})
