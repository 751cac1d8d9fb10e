import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ApiError } from '@/shared/api'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn, signedOut } from '@/test/sessions'
import { ConflictDialog } from './ConflictDialog'
import { ListEditor } from './ListEditor'
import { useForm } from './useForm'

/** An application whose session ends when something is saved. */
function expiring(next: () => object) {
  let session: object = signedIn()
  return renderApp('/account/settings', {
    'GET /api/ui/auth/session': () => Response.json(session),
    'GET /api/ui/auth/sessions': { sessions: [] },
    'PATCH /api/ui/account': () => {
      session = signedOut
      return refusal(401, 'Sign in')
    },
    'POST /api/ui/auth/sign-in': () => {
      session = next()
      return Response.json(session)
    },
  })
}

async function typeAndExpire(user: ReturnType<typeof userEvent.setup>) {
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.clear(name)
  await user.type(name, 'Augusta{Enter}')
  await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'ada@example.com')
  screen.getByText(/Your session has ended/)
  await user.type(screen.getByLabelText('Password'), 'correct horse{Enter}')
}

test('what was typed when the session ended is there again after signing in', async () => {
  const { user, address } = expiring(() => signedIn())
  await typeAndExpire(user)
  await waitFor(() => expect(address()).toBe('/account/settings'))
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Augusta'),
  )
  await screen.findByText('What you had typed is here again')
  expect(sessionStorage.getItem('almanac-drafts')).toBeNull()
})

test('nobody else finds it', async () => {
  const { user } = expiring(() => {
    const session = signedIn()
    return { ...session, user: { ...session.user, id: 'somebody-else', name: 'Grace' } }
  })
  await typeAndExpire(user)
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Grace'),
  )
  expect(sessionStorage.getItem('almanac-drafts')).toBeNull()
})

test('a page with unsaved changes asks before it is left', async () => {
  const { user, address } = renderApp('/project/p-search/settings/models/new', {
    'GET /api/ui/auth/session': signedIn('project:admin'),
  })
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'gpt')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Stay' }))
  expect(address()).toContain('/settings/models/new')
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'gpt')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Leave' }))
  await waitFor(() => expect(address()).not.toContain('/settings/models/new'))
})

test('a list is edited by keys, and the focus stays in it', async () => {
  function Example() {
    const form = useForm({ initial: { names: ['a'] } })
    return (
      <ListEditor label="Names" noun="name" list={form.list('names')} create={() => ''} max={2}>
        {(value, at, change) => (
          <input
            aria-label={`Text ${at + 1}`}
            value={value}
            onChange={(e) => change(e.target.value)}
          />
        )}
      </ListEditor>
    )
  }
  render(<Example />)
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Add name' }))
  expect(document.activeElement).toBe(screen.getByLabelText('Text 2'))
  await user.keyboard('b')
  await user.click(screen.getByRole('button', { name: 'Move name 2 up' }))
  expect(screen.getByLabelText('Text 1')).toHaveProperty('value', 'b')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move name 1 down' }))
  expect(screen.getByRole('button', { name: 'Add name' })).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('button', { name: 'Remove name 2' }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove name 1' }))
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add name' }))
})

test('an edit by somebody else is shown, and the user decides', async () => {
  const decide = { onKeepMine: vi.fn(), onTakeTheirs: vi.fn(), onDismiss: vi.fn() }
  render(
    <ConflictDialog
      label="Prompt"
      conflict={{ mine: 'written by me', theirs: { values: 'written by them' } }}
      textOf={(text) => text}
      isPending={false}
      error={new ApiError(500, 'failed', 'The server is busy')}
      {...decide}
    />,
  )
  const user = userEvent.setup()
  await screen.findByRole('alertdialog', { name: 'Somebody else has saved in the meantime' })
  screen.getByText('The server is busy')
  await user.click(screen.getByRole('button', { name: 'Take theirs' }))
  expect(decide.onTakeTheirs).toHaveBeenCalledOnce()
  await user.click(screen.getByRole('button', { name: 'Keep mine' }))
  expect(decide.onKeepMine).toHaveBeenCalledOnce()
  await user.keyboard('{Escape}')
  expect(decide.onDismiss).toHaveBeenCalledOnce()
})
