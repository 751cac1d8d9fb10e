import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const deletions = 'POST /api/ui/projects/p-search/deletions'
const asOf = '2026-11-16T12:00:00.000Z'

async function show(...permissions: string[]) {
  const answers = [
    { traces: 500, done: false },
    { traces: 3, done: true },
  ]
  const app = renderApp('/project/p-search/users/ann', {
    'GET /api/ui/auth/session': signedIn('traces:read', ...permissions),
    'POST /api/ui/projects/p-search/query/users': { rows: [], cursor: null, partial: false },
    [deletions]: (body) => {
      const dryRun = (body as { dryRun: boolean }).dryRun
      const counted = dryRun ? { traces: 503, done: true } : answers.shift()
      return Response.json({ dryRun, asOf, scores: 0, ...counted })
    },
  })
  await screen.findByRole('heading', { name: 'User' })
  return app
}

test('traces of a user are counted, then deleted until none is left', async () => {
  const { sent, user } = await show('traces:delete')
  await user.click(screen.getByRole('button', { name: 'Delete traces' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  dialog.getByText(/503 traces from all time/)
  await user.click(dialog.getByRole('button', { name: 'Delete traces' }))
  const asked = () => sent.filter(([path]) => path === deletions).map(([, body]) => body)
  expect(asked()).toEqual([{ userId: 'ann', dryRun: true }])
  await user.type(dialog.getByRole('textbox'), '503{Enter}')
  await screen.findByText('The traces of the user are deleted')
  const deleted = { userId: 'ann', asOf, dryRun: false }
  expect(asked().slice(1, 3)).toEqual([deleted, deleted])
})

test('who may not delete is not offered it', async () => {
  await show()
  expect(screen.queryByRole('button', { name: 'Delete traces' })).toBeNull()
})
