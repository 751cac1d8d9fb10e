import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { ApiError } from '@/shared/api'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn, signedOut } from '@/test/sessions'
import { ConflictDialog } from './ConflictDialog'
import { ListEditor } from './ListEditor'
import { useForm } from './useForm'
import { useVersionedSave } from './useVersionedSave'

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
  const save = vi.fn(async (_text: string, etag: string) => {
    if (etag === 'v1') throw new ApiError(412, 'changed', 'There is a newer version')
  })
  const onTaken = vi.fn()
  const onSaved = vi.fn()
  function Example() {
    const [values] = useState('mine')
    const change = useVersionedSave<string>({
      etag: 'v1',
      save,
      load: async () => ({ values: 'theirs', etag: 'v2' }),
      onSaved,
      onTaken,
    })
    return (
      <>
        <button onClick={() => change.save(values)}>Save</button>
        <ConflictDialog
          label="Prompt"
          conflict={change.conflict}
          textOf={(text) => text}
          isPending={change.isPending}
          error={change.error}
          onKeepMine={change.keepMine}
          onTakeTheirs={change.takeTheirs}
          onDismiss={change.dismiss}
        />
      </>
    )
  }
  render(<Example />)
  const user = userEvent.setup()
  const open = async () => {
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByRole('alertdialog', { name: 'Somebody else has saved in the meantime' })
  }
  await open()
  await user.click(screen.getByRole('button', { name: 'Take theirs' }))
  expect(onTaken).toHaveBeenCalledWith({ values: 'theirs', etag: 'v2' })
  await open()
  await user.click(screen.getByRole('button', { name: 'Keep mine' }))
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith('mine'))
  expect(save.mock.lastCall).toEqual(['mine', 'v2'])
  expect(screen.queryByRole('alertdialog')).toBeNull()
})
