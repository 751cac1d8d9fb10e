import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp, type Answers } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const base = '/api/ui/projects/p-search'
const at = '2026-11-01T00:00:00.000Z'

const heads = {
  folders: [{ name: 'support', datasets: 2, updatedAt: at }],
  moreFolders: false,
  datasets: [
    {
      id: 'd1',
      name: 'sums',
      description: 'Adds up',
      items: 12,
      hasInputSchema: true,
      hasExpectedOutputSchema: false,
      createdAt: at,
      updatedAt: at,
    },
  ],
  cursor: null,
  total: 1,
}

const details = {
  id: 'd1',
  name: 'sums',
  description: 'Adds up',
  metadata: '{"n":12345678901234567890}',
  inputSchema: '{"type":"object"}',
  expectedOutputSchema: null,
  items: 12,
  createdAt: at,
  updatedAt: at,
}

const everything = ['datasets:read', 'datasets:write', 'datasets:delete']

const answers = (permissions: string[], more: Answers = {}): Answers => ({
  'GET /api/ui/auth/session': signedIn(...permissions),
  [`POST ${base}/query/datasets`]: heads,
  [`GET ${base}/datasets/d1/details`]: details,
  ...more,
})

test('folders and datasets, with the order and search of the address', async () => {
  const { sent } = renderApp(
    '/project/p-search/datasets?folder=a%2F&search=sum&sort=updated.desc',
    answers(everything),
  )
  const grid = within(await screen.findByRole('grid', { name: 'Datasets' }))
  await grid.findByRole('link', { name: 'support' })
  grid.getByText('Adds up')
  grid.getByText('Input')
  screen.getByText('3 datasets')
  expect(sent[0]).toEqual([
    `POST ${base}/query/datasets`,
    {
      folder: 'a',
      search: 'sum',
      sort: { by: 'updatedAt', direction: 'desc' },
      limit: 100,
    },
  ])
})

test('a new dataset begins in the folder, and what the server says is shown at its field', async () => {
  let taken = true
  const { user, sent } = renderApp(
    '/project/p-search/datasets?folder=support',
    answers(everything, {
      [`POST ${base}/datasets/create`]: () =>
        taken
          ? refusal(400, 'Invalid request', { name: 'Another dataset has this name' })
          : Response.json(details, { status: 201 }),
    }),
  )
  await screen.findByText('sums')
  await user.click(screen.getByRole('button', { name: 'New dataset' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New dataset' }))
  const name = dialog.getByRole('textbox', { name: 'Name' })
  expect(name).toHaveProperty('value', 'support/')
  await user.click(dialog.getByRole('button', { name: 'Create dataset' }))
  dialog.getByText('A name neither begins nor ends with a slash')
  await user.type(name, 'refunds')
  await user.click(dialog.getByRole('button', { name: 'Create dataset' }))
  await dialog.findByText('Another dataset has this name')
  taken = false
  await user.type(name, '2')
  await user.click(dialog.getByRole('button', { name: 'Create dataset' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toContainEqual([`POST ${base}/datasets/create`, { name: 'support/refunds2' }])
})

test('a change sends what differs', async () => {
  const { user, sent } = renderApp(
    '/project/p-search/datasets',
    answers(everything, { [`PATCH ${base}/datasets/d1`]: details }),
  )
  await screen.findByText('sums')
  await user.click(screen.getByRole('button', { name: 'Actions for sums' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit dataset' }))
  await user.type(await dialog.findByRole('textbox', { name: 'Description' }), '!')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toContainEqual([`PATCH ${base}/datasets/d1`, { description: 'Adds up!' }])
})

test('a dataset is deleted once its name is typed', async () => {
  const { user, sent } = renderApp(
    '/project/p-search/datasets',
    answers(everything, {
      [`DELETE ${base}/datasets/d1`]: () => new Response(null, { status: 204 }),
    }),
  )
  await screen.findByText('sums')
  await user.click(screen.getByRole('button', { name: 'Actions for sums' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  dialog.getByText(/its 12 active items/)
  await user.type(dialog.getByRole('textbox'), 'sums')
  await user.click(dialog.getByRole('button', { name: 'Delete dataset' }))
  await screen.findByText('Dataset deleted')
  expect(sent).toContainEqual([`DELETE ${base}/datasets/d1`, undefined])
})

test('a viewer reads, and is told which role creates', async () => {
  const { user } = renderApp('/project/p-search/datasets', answers(['datasets:read']))
  await screen.findByText('sums')
  screen.getByText('To create datasets you need the role Member.')
  await user.click(screen.getByRole('button', { name: 'Actions for sums' }))
  const names = (await screen.findAllByRole('menuitem')).map((item) => item.textContent)
  expect(names).toEqual(['Open'])
})

test('without datasets, the page says what they are for', async () => {
  renderApp(
    '/project/p-search/datasets',
    answers(everything, {
      [`POST ${base}/query/datasets`]: {
        folders: [],
        moreFolders: false,
        datasets: [],
        cursor: null,
        total: 0,
      },
    }),
  )
  await screen.findByText('No datasets yet')
})
