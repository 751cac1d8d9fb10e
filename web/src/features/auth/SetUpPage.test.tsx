import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn, signedOut } from '@/test/sessions'

const session = 'GET /api/ui/auth/session'
const setUp = 'POST /api/ui/auth/setup'
const fresh = { ...signedOut, setupNeeded: true }

async function fill(user: ReturnType<typeof renderApp>['user'], password: string) {
  await user.type(await screen.findByRole('textbox', { name: 'Your name' }), 'Ada')
  await user.type(screen.getByRole('textbox', { name: 'Email' }), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), password)
  await user.click(screen.getByRole('button', { name: 'Create the owner' }))
}

test('the first owner comes to the project with its keys in sight', async () => {
  const { sent, user, address } = renderApp('/setup?token=once', {
    [session]: fresh,
    [setUp]: () =>
      Response.json(
        {
          session: signedIn('traces:read'),
          projectId: 'p-search',
          keys: { publicKey: 'pk-lf-1', secretKey: 'sk-lf-1' },
        },
        { status: 201 },
      ),
    'POST /api/ui/projects/p-search/query/traces': { rows: [], cursor: null, searchedBack: null },
  })
  await fill(user, 'correct horse')
  await waitFor(() => expect(address()).toBe('/project/p-search'))
  await screen.findByText('sk-lf-1')
  expect(sent.filter(([asked]) => asked === setUp)).toEqual([
    [setUp, { token: 'once', name: 'Ada', email: 'ada@example.com', password: 'correct horse' }],
  ])
})

test('what is wrong stands at its field, whoever finds it', async () => {
  const { sent, user } = renderApp('/setup?token=once', {
    [session]: fresh,
    [setUp]: () => refusal(400, 'Invalid request', { password: 'is too common' }),
  })
  await fill(user, 'short')
  screen.getByText('At least 10 characters, 5 more')
  expect(sent).toEqual([])
  const password = screen.getByLabelText('Password')
  await user.type(password, 'short')
  await user.click(screen.getByRole('button', { name: 'Create the owner' }))
  await screen.findByText('is too common')
  expect(password.getAttribute('aria-invalid')).toBe('true')
  expect(screen.queryByText(/Invalid request/)).toBeNull()
})

test('a token that was used says so above the button', async () => {
  const { user } = renderApp('/setup?token=twice', {
    [session]: fresh,
    [setUp]: () => refusal(403, 'This token does not work any more'),
  })
  await fill(user, 'correct horse')
  await screen.findByText('This token does not work any more')
})

test.each([
  ['/setup', fresh, 'A token is missing'],
  ['/setup?token=once', signedOut, 'Already set up'],
])('%s without a token or a need for it says what to do', async (address, answer, title) => {
  renderApp(address, { [session]: answer })
  await screen.findByRole('heading', { name: title })
  expect(screen.queryByRole('button', { name: 'Create the owner' })).toBeNull()
})
