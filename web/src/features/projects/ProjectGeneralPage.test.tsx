import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp, type Answers } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const change = 'PATCH /api/ui/projects/p-search'
const remove = 'DELETE /api/ui/projects/p-search'
const all = signedIn('project:update', 'project:delete')

async function show(answers: Answers, session: object = all) {
  const app = renderApp('/project/p-search/settings', {
    'GET /api/ui/auth/session': session,
    ...answers,
  })
  await screen.findByRole('heading', { name: 'search settings' })
  return app
}

test('a name that the server refuses is said at its field', async () => {
  const { sent, user } = await show({
    [change]: () => refusal(400, 'Invalid request', { name: 'is taken' }),
  })
  const name = screen.getByRole('textbox', { name: 'Name' })
  const [save] = screen.getAllByRole('button', { name: 'Save' })
  expect(save).toHaveProperty('disabled', true)
  await user.clear(name)
  await user.type(name, ' find {Enter}')
  await screen.findByText('is taken')
  expect(sent).toEqual([[change, { name: 'find' }]])
  expect(name).toHaveProperty('value', ' find ')
})

test('a shorter retention warns before it is saved', async () => {
  const { sent, user } = await show({ [change]: () => Response.json({}) })
  await user.click(screen.getByRole('button', { name: /Keep data/ }))
  await user.click(await screen.findByRole('option', { name: /days/i }))
  const days = await screen.findByRole('textbox', { name: 'Days' })
  await user.clear(days)
  await user.type(days, '7')
  screen.getByText(/older than 7 days are deleted/)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(sent).toEqual([[change, { retentionDays: 7, maxDataBytes: 0 }]]))
})

test('a project is deleted only after its name was typed, and a refusal is said in the dialog', async () => {
  const { sent, user } = await show({ [remove]: () => refusal(403, 'Only owners may do that') })
  await user.click(screen.getByRole('button', { name: 'Delete project' }))
  const dialog = await screen.findByRole('alertdialog', { name: /Delete/ }) // messages have the role, too
  const [confirm] = [...dialog.querySelectorAll('button')].filter(
    (button) => button.textContent === 'Delete project',
  )
  expect(confirm).toHaveProperty('disabled', true)
  await user.type(screen.getByRole('textbox', { name: /to confirm/ }), 'search{Enter}')
  await screen.findByText('Only owners may do that')
  expect(sent).toEqual([[remove, { confirm: 'search' }]])
})

test('who may not change it sees how it is', async () => {
  await show({}, signedIn())
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('disabled', true)
  screen.getByText('Data is kept forever.')
  expect(screen.queryByRole('button', { name: 'Delete project' })).toBeNull()
})
