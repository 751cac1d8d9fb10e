import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp, type Answers } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const base = '/api/ui/projects/p-search'
const at = '2026-11-01T00:00:00.000Z'

const queue = {
  id: 'q1',
  name: 'tone',
  description: 'Be fair.',
  scoreConfigIds: ['c1'],
  pending: 38,
  completed: 12,
  people: 2,
  isMine: true,
  createdAt: at,
}

const configs = {
  data: [
    {
      id: 'c1',
      name: 'polite',
      projectId: 'p-search',
      dataType: 'BOOLEAN',
      isArchived: false,
      description: null,
      minValue: null,
      maxValue: null,
      categories: null,
      createdAt: at,
      updatedAt: at,
    },
  ],
  meta: { page: 1, limit: 100, totalItems: 1, totalPages: 1 },
}

const member = ['scores:read', 'scores:write', 'evaluation:write', 'queues:annotate', 'traces:read']

const answers = (permissions: string[], more: Answers = {}): Answers => ({
  'GET /api/ui/auth/session': signedIn(...permissions),
  [`POST ${base}/query/annotation-queues`]: { queues: [queue], cursor: null },
  [`GET ${base}/score-configs`]: configs,
  ...more,
})

test('queues show how far they are and lead to their review', async () => {
  const { sent } = renderApp('/project/p-search/annotation-queues?search=to', answers(member))
  const grid = within(await screen.findByRole('grid', { name: 'Annotation queues' }))
  await grid.findByRole('link', { name: 'tone' })
  grid.getByText('12 of 50')
  grid.getByText('polite')
  expect(grid.getByRole('link', { name: 'Review tone' }).getAttribute('href')).toBe(
    '/project/p-search/annotation-queues/q1/items',
  )
  expect(sent).toContainEqual([`POST ${base}/query/annotation-queues`, { search: 'to', limit: 50 }])
})

test('a queue is created, and what the server says is shown', async () => {
  let isTaken = true
  const { user, sent } = renderApp(
    '/project/p-search/annotation-queues',
    answers(member, {
      [`POST ${base}/annotation-queues`]: () =>
        isTaken ? refusal(400, 'A queue with this name already exists.') : Response.json(queue),
    }),
  )
  await screen.findByText('tone')
  await user.click(screen.getByRole('button', { name: 'New queue' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New annotation queue' }))
  await user.click(await dialog.findByRole('button', { name: 'Create queue' }))
  dialog.getByText('Enter a name.')
  dialog.getByText('Choose at least one score config.')
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), ' facts ')
  await user.click(dialog.getByRole('button', { name: /What is scored/ }))
  await user.click(await screen.findByRole('option', { name: /polite/ }))
  await user.keyboard('{Escape}')
  await user.click(await dialog.findByRole('button', { name: 'Create queue' }))
  await dialog.findByText('A queue with this name already exists.')
  isTaken = false
  await user.click(dialog.getByRole('button', { name: 'Create queue' }))
  await screen.findByText('Queue created')
  expect(sent).toContainEqual([
    `POST ${base}/annotation-queues`,
    { name: 'facts', description: null, scoreConfigIds: ['c1'] },
  ])
})

test('a queue is deleted once its name is typed', async () => {
  const { user, sent } = renderApp(
    '/project/p-search/annotation-queues',
    answers(member, {
      [`DELETE ${base}/annotation-queues/q1`]: () => new Response(null, { status: 204 }),
    }),
  )
  await screen.findByText('tone')
  await user.click(screen.getByRole('button', { name: 'Actions for tone' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await user.type(dialog.getByRole('textbox'), 'tone')
  await user.click(dialog.getByRole('button', { name: 'Delete queue' }))
  await screen.findByText('Queue deleted')
  expect(sent).toContainEqual([`DELETE ${base}/annotation-queues/q1`, undefined])
})

test('an annotator comes to the queues from everywhere, and can only review', async () => {
  const { user } = renderApp('/project/p-search', answers(['queues:annotate']))
  await screen.findByRole('link', { name: 'Review tone' })
  expect(screen.queryByRole('button', { name: 'New queue' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Actions for tone' }))
  const names = (await screen.findAllByRole('menuitem')).map((item) => item.textContent)
  expect(names).toEqual(['Review', 'Show the items'])
})

test('an annotator without queues is told who gives them some', async () => {
  renderApp(
    '/project/p-search/annotation-queues',
    answers(['queues:annotate'], {
      [`POST ${base}/query/annotation-queues`]: { queues: [], cursor: null },
    }),
  )
  await screen.findByText(/once an administrator assigns you/)
})

const one = {
  id: 'q1',
  name: 'tone',
  description: 'Be fair.',
  scoreConfigIds: ['c1'],
  createdAt: at,
  updatedAt: at,
}

const item = (id: string, more = {}) => ({
  id,
  objectType: 'TRACE',
  objectId: `trace-${id}`,
  status: 'PENDING',
  completedAt: null,
  completedBy: null,
  openedBy: null,
  createdAt: at,
  skips: [],
  ...more,
})

const ofQueue = (permissions: string[], more: Answers = {}) =>
  answers(permissions, {
    [`GET ${base}/annotation-queues/q1`]: one,
    [`POST ${base}/annotation-queues/q1/items/query`]: {
      items: [
        item('i1', { skips: [{ userId: 'u9', reason: 'too long' }] }),
        item('i2', { status: 'COMPLETED', completedAt: at, completedBy: null }),
      ],
      cursor: null,
    },
    ...more,
  })

test('items show who skipped and completed them, and can be made pending and removed', async () => {
  const { user, sent } = renderApp(
    '/project/p-search/annotation-queues/q1?status=completed&search=tr',
    ofQueue(member, {
      [`PATCH ${base}/annotation-queues/q1/items/i2`]: {},
      [`DELETE ${base}/annotation-queues/q1/items/i1`]: {},
    }),
  )
  const grid = within(await screen.findByRole('grid', { name: 'Items' }))
  await grid.findByText('A member: too long')
  grid.getByText('By the API')
  expect(sent).toContainEqual([
    `POST ${base}/annotation-queues/q1/items/query`,
    { status: 'COMPLETED', search: 'tr', limit: 50 },
  ])
  await user.click(screen.getByRole('button', { name: 'Actions for trace-i2' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Make pending again' }))
  await screen.findByText('The item is pending again')
  expect(sent).toContainEqual([
    `PATCH ${base}/annotation-queues/q1/items/i2`,
    { status: 'PENDING' },
  ])
  await user.click(screen.getByRole('button', { name: 'Actions for trace-i1' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Remove from the queue' }))
  await user.click(await screen.findByRole('button', { name: 'Remove item' }))
  await screen.findByText('Item removed')
})

test('ids that could not be added stay in the form', async () => {
  const { user, sent } = renderApp(
    '/project/p-search/annotation-queues/q1',
    ofQueue(member, {
      [`POST ${base}/annotation-queues/q1/items`]: (body: unknown) =>
        (body as { objectId: string }).objectId === 'bad'
          ? refusal(400, 'Not like that')
          : Response.json({}),
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Add items' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add items' }))
  const ids = dialog.getByRole('textbox', { name: 'Ids' })
  await user.click(ids)
  await user.paste('good\nbad\ngood')
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  await dialog.findByText('1 added, 1 not: Not like that')
  await waitFor(() => expect(ids).toHaveProperty('value', 'bad'))
  expect(sent).toContainEqual([
    `POST ${base}/annotation-queues/q1/items`,
    { objectType: 'TRACE', objectId: 'good', status: 'PENDING' },
  ])
})

test('people are assigned by administrators', async () => {
  let people = [{ userId: 'u2', name: 'Grace', email: 'grace@example.com' }]
  const { user, sent } = renderApp(
    '/project/p-search/annotation-queues/q1',
    ofQueue([...member, 'members:read', 'members:write'], {
      [`GET ${base}/annotation-queues/q1/assignments`]: () => Response.json({ people }),
      [`GET ${base}/members`]: {
        members: [
          { userId: 'u2', name: 'Grace', email: 'grace@example.com', role: 'ANNOTATOR' },
          { userId: 'u3', name: 'Ada', email: 'ada@example.com', role: 'ANNOTATOR' },
        ],
      },
      [`POST ${base}/annotation-queues/q1/assignments`]: () => {
        people = [...people, { userId: 'u3', name: 'Ada', email: 'ada@example.com' }]
        return Response.json({})
      },
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'People' }))
  const list = within(await screen.findByRole('list', { name: 'Assigned people' }))
  list.getByText('Grace')
  await user.click(await screen.findByRole('button', { name: /Assign somebody/ }))
  await user.click(await screen.findByRole('option', { name: /Ada/ }))
  await screen.findByRole('button', { name: 'Remove Ada' })
  expect(sent).toContainEqual([`POST ${base}/annotation-queues/q1/assignments`, { userId: 'u3' }])
})
