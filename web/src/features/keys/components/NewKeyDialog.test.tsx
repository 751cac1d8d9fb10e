import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { NewKeyDialog } from './NewKeyDialog'

afterEach(() => vi.unstubAllGlobals())

function show(answer: () => Response) {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(await request.json())
    return answer()
  })
  const client = new QueryClient({ defaultOptions: { mutations: { retry: false } } })
  const onClose = vi.fn()
  render(
    <QueryClientProvider client={client}>
      <NewKeyDialog owner={{ kind: 'project', id: 'p1' }} isOpen onClose={onClose} />
    </QueryClientProvider>,
  )
  return { sent, onClose, user: userEvent.setup() }
}

const key = {
  id: 'k1',
  createdAt: '2026-11-16T12:00:00.000Z',
  expiresAt: null,
  note: 'CI',
  publicKey: 'pk-lf-new',
  secretKey: 'sk-lf-new',
  displaySecretKey: 'sk-lf-...new',
}

test('the secret of a new key is shown once, and Esc does not take it away', async () => {
  const { sent, onClose, user } = show(() => Response.json(key, { status: 201 }))
  await user.type(screen.getByRole('textbox', { name: 'Note' }), ' CI ')
  await user.click(screen.getByRole('button', { name: 'Create key' }))
  await screen.findByText('sk-lf-new')
  expect(sent).toEqual([{ note: 'CI', expiresAt: null, permissions: null }])
  await user.keyboard('{Escape}')
  expect(onClose).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'I have stored it' }))
  expect(onClose).toHaveBeenCalledOnce()
})

test('what the server says stands at its field, and the input stays', async () => {
  const { user } = show(() =>
    Response.json(
      {
        error: 'invalid_request',
        message: 'Invalid request',
        issues: [{ path: ['note'], message: 'is too long' }],
      },
      { status: 400 },
    ),
  )
  const note = screen.getByRole('textbox', { name: 'Note' })
  await user.type(note, 'CI')
  await user.click(screen.getByRole('button', { name: 'Create key' }))
  await screen.findByText('is too long')
  expect(note).toHaveProperty('value', 'CI')
  expect(note.getAttribute('aria-invalid')).toBe('true')
})
