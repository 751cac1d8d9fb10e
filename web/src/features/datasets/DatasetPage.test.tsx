import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp, type Answers } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const base = '/api/ui/projects/p-search'
const one = `${base}/datasets/d1`
const at = '2026-11-01T00:00:00.000Z'

const details = {
  id: 'd1',
  name: 'support/sums',
  description: 'Adds up',
  metadata: null,
  inputSchema: '{"type":"object"}',
  expectedOutputSchema: null,
  items: 1,
  createdAt: at,
  updatedAt: at,
}

const item = {
  id: 'i1',
  status: 'ACTIVE',
  input: '{"q":12345678901234567890}',
  expectedOutput: '"four"',
  metadata: null,
  sourceTraceId: 't1',
  sourceObservationId: 'o1',
  updatedAt: at,
}

const everything = ['traces:read', 'datasets:read', 'datasets:write', 'datasets:delete']

const answers = (permissions: string[], more: Answers = {}): Answers => ({
  'GET /api/ui/auth/session': signedIn(...permissions),
  [`GET ${one}/details`]: details,
  [`POST ${one}/items/query`]: { items: [item], cursor: null },
  [`GET ${one}/versions`]: {
    versions: [{ at, items: 5, archived: 1, deleted: 1 }],
    hasMore: false,
  },
  [`GET ${one}/items/i1`]: item,
  ...more,
})

test('items with what the address asks for, and the way to their traces', async () => {
  const { sent } = renderApp(
    '/project/p-search/datasets/d1/items?search=four&status=all',
    answers(everything),
  )
  const grid = within(await screen.findByRole('grid', { name: 'Items' }))
  await grid.findByText('{"q":12345678901234567890}')
  const trace = grid.getByRole('link', { name: 'Trace' })
  expect(trace.getAttribute('href')).toBe('/project/p-search/traces/t1?observation=o1')
  screen.getByRole('link', { name: 'support' })
  expect(sent).toContainEqual([`POST ${one}/items/query`, { search: 'four', limit: 50 }])
})

test('an item is archived in the version that is shown', async () => {
  const { user, sent } = renderApp(
    '/project/p-search/datasets/d1/items',
    answers(everything, { [`POST ${one}/items`]: { ...item, status: 'ARCHIVED' } }),
  )
  await user.click(await screen.findByRole('button', { name: 'Actions for i1' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Archive' }))
  await screen.findByText('Item archived')
  expect(sent).toContainEqual([`POST ${one}/items`, { id: 'i1', base: at, status: 'ARCHIVED' }])
})

test('an item is deleted after a question', async () => {
  const { user, sent } = renderApp(
    '/project/p-search/datasets/d1/items',
    answers(everything, { [`DELETE ${base}/dataset-items/i1`]: { message: 'deleted' } }),
  )
  await user.click(await screen.findByRole('button', { name: 'Actions for i1' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await user.click(await screen.findByRole('button', { name: 'Delete item' }))
  await screen.findByText('Item deleted')
  expect(sent).toContainEqual([`DELETE ${base}/dataset-items/i1`, undefined])
})

test('an address opens an item; what breaks the schema is told beside its field', async () => {
  const { user, sent, address } = renderApp(
    '/project/p-search/datasets/d1/items/i1',
    answers(everything, {
      [`POST ${one}/items`]: () => refusal(400, 'Invalid request', { input: '/q: must be string' }),
    }),
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'Item' }))
  await dialog.findByText('Expected output')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await dialog.findByText('/q: must be string')
  const [, body] = sent.findLast(([path]) => path === `POST ${one}/items`) ?? []
  expect(body).toEqual({ id: 'i1', base: at })
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(address()).toBe('/project/p-search/datasets/d1/items'))
})

test('a new item needs an input', async () => {
  const { user } = renderApp('/project/p-search/datasets/d1/items', answers(everything))
  await user.click(await screen.findByRole('button', { name: 'Add item' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New item' }))
  await user.click(dialog.getByRole('button', { name: 'Add item' }))
  await dialog.findByText('An item needs an input')
})

test('a viewer reads items, and can change nothing', async () => {
  const { user } = renderApp('/project/p-search/datasets/d1/items/i1', answers(['datasets:read']))
  const dialog = within(await screen.findByRole('dialog', { name: 'Item' }))
  await dialog.findByText('Expected output')
  expect(dialog.queryByRole('button', { name: 'Save' })).toBeNull()
  expect(dialog.queryByRole('link', { name: 'Where it comes from' })).toBeNull()
  await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] ?? document.body)
  await screen.findByRole('grid', { name: 'Items' })
  expect(screen.queryByRole('button', { name: 'Add item' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit dataset' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Runs' })).toBeNull()
})

test('runs lead to their results', async () => {
  renderApp(
    '/project/p-search/datasets/d1/experiments',
    answers(everything, {
      [`GET ${base}/experiments`]: (_: unknown, search: URLSearchParams) =>
        Response.json({
          data:
            search.get('datasetId') === 'd1'
              ? [{ id: 'r1', name: 'nightly', startTime: at, endTime: at, itemCount: 3 }]
              : [],
          meta: {},
        }),
    }),
  )
  const run = await screen.findByRole('link', { name: 'nightly' })
  expect(run.getAttribute('href')).toBe('/project/p-search/experiments/results?baseline=r1')
})

test('a dataset that is no more', async () => {
  renderApp('/project/p-search/datasets/gone/items', answers(everything))
  await screen.findByText('There is no such dataset')
})

test('selected items are archived, and deleted after a question', async () => {
  const changed = { changed: 1, unchanged: 0, missing: 0 }
  const { user, sent } = renderApp(
    '/project/p-search/datasets/d1/items',
    answers(everything, {
      [`POST ${one}/items/status`]: changed,
      [`POST ${one}/items/delete`]: changed,
    }),
  )
  await screen.findByText('1 item')
  await user.click(await screen.findByRole('checkbox', { name: 'Select row 1' }))
  await user.click(screen.getByRole('button', { name: 'Archive' }))
  await screen.findByText('1 item archived')
  expect(sent).toContainEqual([`POST ${one}/items/status`, { ids: ['i1'], status: 'ARCHIVED' }])
  await user.click(await screen.findByRole('checkbox', { name: 'Select row 1' }))
  await user.click(screen.getAllByRole('button', { name: 'Delete' }).at(-1) ?? document.body)
  const question = within(await screen.findByRole('alertdialog', { name: 'Delete 1 item?' }))
  await user.click(question.getByRole('button', { name: 'Delete' }))
  await screen.findByText('1 item deleted')
  expect(sent).toContainEqual([`POST ${one}/items/delete`, { ids: ['i1'] }])
})

test('the history of an item shows what a version changed, and puts its values back', async () => {
  const earlier = '2026-10-01T00:00:00.000Z'
  const { user } = renderApp(
    '/project/p-search/datasets/d1/items/i1',
    answers(everything, {
      [`GET ${one}/items/i1/versions`]: {
        versions: [
          { at, status: 'ACTIVE' },
          { at: earlier, status: 'ARCHIVED' },
        ],
        hasMore: false,
      },
      [`GET ${one}/items/i1`]: (_: unknown, search: URLSearchParams) =>
        Response.json(
          search.get('version') === earlier
            ? { ...item, status: 'ARCHIVED', expectedOutput: '"five"', updatedAt: earlier }
            : item,
        ),
    }),
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'Item' }))
  await user.click(await dialog.findByRole('button', { name: 'History' }))
  await dialog.findByText('The item was restored.')
  await dialog.findByText(/five/)
  await user.click(dialog.getByRole('button', { name: /Version/ }))
  await user.click(await screen.findByRole('option', { name: /^1\..*archived/ }))
  await user.click(await dialog.findByRole('button', { name: 'Put these values into the editor' }))
  await waitFor(() =>
    expect(dialog.getByRole('textbox', { name: 'Expected output' }).textContent).toContain('five'),
  )
})

test('a file is checked, and imported after that', async () => {
  const result = { created: 1, changed: 0, unchanged: 0, refused: [], previews: [] }
  const { user, sent } = renderApp(
    '/project/p-search/datasets/d1/items',
    answers(everything, {
      [`POST ${one}/import`]: {
        ...result,
        refused: [{ row: 1, reason: 'Input /q must be string' }],
      },
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Import' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Import items' }))
  const file = new File(['question,answer\nWhat?,4\n7,x\n'], 'cases.csv', { type: 'text/csv' })
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('there is no file input')
  await user.upload(input, file)
  await dialog.findByRole('list', { name: 'Columns' })
  await dialog.findByRole('list', { name: 'The first rows as items' })
  await user.click(dialog.getByRole('button', { name: 'Check the file' }))
  await dialog.findByText('1 item is new; 1 row is refused.')
  expect(
    within(dialog.getByRole('list', { name: 'Refused rows' })).getByRole('listitem').textContent,
  ).toBe('Line 3Input /q must be string')
  await user.click(dialog.getByRole('button', { name: 'Import 1 item' }))
  await dialog.findByText('1 item was added; 1 row is refused.')
  expect(sent).toContainEqual([
    `POST ${one}/import`,
    {
      dryRun: false,
      previews: 0,
      columns: ['question', 'answer'],
      cells: 'json',
      mapping: { input: ['question'], expectedOutput: ['answer'], metadata: [] },
      rows: [
        ['What?', '4'],
        ['7', 'x'],
      ],
    },
  ])
  await user.click(dialog.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Import items' })).toBeNull())
})

test('items as of a version are read, not changed', async () => {
  const { user, sent, address } = renderApp(
    '/project/p-search/datasets/d1/items',
    answers(everything),
  )
  await screen.findByRole('button', { name: 'Add item' })
  await user.click(await screen.findByRole('button', { name: /As of/ }))
  await user.click(await screen.findByRole('option', { name: /2026-11-01/ }))
  await waitFor(() =>
    expect(sent).toContainEqual([
      `POST ${one}/items/query`,
      { status: 'ACTIVE', version: at, limit: 50 },
    ]),
  )
  expect(address()).toContain('asOf=')
  expect(screen.queryByRole('button', { name: 'Add item' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Import' })).toBeNull()
  await user.click(await screen.findByRole('button', { name: 'Actions for i1' }))
  expect(screen.queryByRole('menuitem', { name: 'Archive' })).toBeNull()
  await user.click(await screen.findByRole('menuitem', { name: 'Open' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Item' }))
  await dialog.findByText('Expected output')
  expect(dialog.queryByRole('button', { name: 'Save' })).toBeNull()
})
