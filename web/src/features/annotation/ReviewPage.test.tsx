import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp, type Answers } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const base = '/api/ui/projects/p-search'
const queue = `${base}/annotation-queues/q1`
const at = '2026-11-01T00:00:00.000Z'
const userId = 'u1'

const config = (id: string, name: string, more: object) => ({
  id,
  name,
  projectId: 'p-search',
  description: null,
  minValue: null,
  maxValue: null,
  categories: null,
  isArchived: false,
  createdAt: at,
  updatedAt: at,
  ...more,
})

const configs = [
  config('c2', 'rating', { dataType: 'NUMERIC', minValue: 0, maxValue: 10 }),
  config('c1', 'polite', { dataType: 'BOOLEAN' }),
  config('c3', 'old', { dataType: 'BOOLEAN', isArchived: true }),
]

const review = (id: string, more = {}) => ({
  item: {
    id,
    objectType: 'TRACE',
    objectId: `trace-${id}`,
    status: 'PENDING',
    completedAt: null,
    completedBy: null,
    openedBy: userId,
    createdAt: at,
    traceIds: [],
    moreTraces: false,
    scores: [],
    comment: '',
    skipReason: null,
    ...more,
  },
  progress: { pending: 38, completed: 12, skipped: 0, taken: 0 },
})

const nothing = (progress: object) => ({
  item: null,
  progress: { pending: 0, completed: 50, skipped: 0, taken: 0, ...progress },
})

const done = () => new Response(null, { status: 204 })

/** A queue whose next items are those given, one after another. */
function answers(ids: string[], more: Answers = {}): Answers {
  const rest = [...ids]
  const ofItems = ids.flatMap((id): [string, Answers[string]][] => [
    [`POST ${queue}/items/${id}/open`, review(id)],
    [`POST ${queue}/items/${id}/release`, done],
    [
      `POST ${queue}/items/${id}/complete`,
      () => {
        rest.shift()
        return done()
      },
    ],
    [
      `POST ${queue}/items/${id}/skip`,
      () => {
        rest.shift()
        return done()
      },
    ],
  ])
  return {
    'GET /api/ui/auth/session': signedIn('queues:annotate'),
    [`GET ${queue}`]: {
      id: 'q1',
      name: 'tone',
      description: 'Be fair.',
      scoreConfigIds: ['c1', 'c3', 'c2'],
      createdAt: at,
      updatedAt: at,
    },
    [`GET ${base}/score-configs`]: { data: configs, meta: { totalPages: 1 } },
    [`POST ${queue}/next`]: () =>
      Response.json(rest[0] === undefined ? nothing({}) : review(rest[0])),
    ...Object.fromEntries(ofItems),
    ...more,
  }
}

const start = '/project/p-search/annotation-queues/q1/items'
const form = async () => within(await screen.findByRole('complementary', { name: 'Review' }))
const ofKind = (sent: [string, unknown][], kind: string) =>
  sent.filter(([asked]) => asked.endsWith(`/${kind}`))

test('items are reviewed one after another by keys alone', async () => {
  const { user, sent, address } = renderApp(start, answers(['i1', 'i2']))
  const fields = await form()
  fields.getByText('12 of 50')
  fields.getByText('Be fair.')
  expect(fields.queryByText('old')).toBeNull()
  expect(address()).toBe(`${start}/i1`)
  // The queue says that the boolean comes first; the number is typed into its field.
  await user.keyboard('2')
  await user.keyboard('7{Enter}')
  await user.keyboard('Too curt.')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(address()).toBe(`${start}/i2`))
  expect(ofKind(sent, 'complete')).toEqual([
    [
      `POST ${queue}/items/i1/complete`,
      {
        scores: [
          { configId: 'c1', value: 0, comment: '' },
          { configId: 'c2', value: 7, comment: '' },
        ],
        comment: 'Too curt.',
      },
    ],
  ])
  // A completed item is not given back to others.
  expect(ofKind(sent, 'release')).toEqual([])
})

test('an item without values is completed at the second attempt', async () => {
  const { user, sent } = renderApp(start, answers(['i1']))
  await form()
  await user.keyboard('1{Control>}{Enter}{/Control}')
  expect((await screen.findByRole('alert')).textContent).toBe(
    'One value is missing: rating. Complete again to leave it like that.',
  )
  expect(ofKind(sent, 'complete')).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Complete' }))
  await screen.findByText('Everything is reviewed')
  expect(ofKind(sent, 'complete')).toHaveLength(1)
})

test('a value out of range is not sent, and gets the focus', async () => {
  const { user, sent } = renderApp(start, answers(['i1']))
  const fields = await form()
  await user.type(await fields.findByLabelText('Value of rating'), '11')
  await user.keyboard('{Control>}{Enter}{/Control}')
  fields.getByText('At most 10.')
  expect(document.activeElement).toBe(fields.getByLabelText('Value of rating'))
  expect(ofKind(sent, 'complete')).toEqual([])
})

test('an item is skipped with a reason, and U goes back to it', async () => {
  const { user, sent, address } = renderApp(start, answers(['i1', 'i2']))
  await form()
  await user.keyboard('s')
  const dialog = within(await screen.findByRole('dialog', { name: 'Skip this item' }))
  await user.type(dialog.getByRole('textbox', { name: 'Why' }), 'too long{Enter}')
  await waitFor(() => expect(address()).toBe(`${start}/i2`))
  expect(ofKind(sent, 'skip')).toEqual([[`POST ${queue}/items/i1/skip`, { reason: 'too long' }]])
  await form()
  await user.keyboard('u')
  await waitFor(() => expect(address()).toBe(`${start}/i1`))
  // Nobody has completed it, so there is nothing to take back but the way.
  expect(sent.filter(([asked]) => asked.startsWith('PATCH'))).toEqual([])
  await waitFor(() => expect(sent).toContainEqual([`POST ${queue}/items/i2/release`, undefined]))
})

test('U takes a completion back, with what was given', async () => {
  const mine = { status: 'COMPLETED', completedAt: at, completedBy: userId }
  let isPending = false
  const all = answers(['i1', 'i2'])
  const { user, sent, address } = renderApp(start, {
    ...all,
    [`POST ${queue}/items/i1/open`]: () =>
      Response.json(
        ofKind(sent, 'complete').length === 0
          ? review('i1')
          : review('i1', {
              ...(isPending ? {} : mine),
              scores: [{ configId: 'c2', value: 7, comment: 'sure' }],
              comment: 'Fine.',
            }),
      ),
    [`PATCH ${queue}/items/i1`]: () => {
      isPending = true
      return Response.json({})
    },
  })
  await form()
  await user.keyboard('{Enter}{Enter}')
  await waitFor(() => expect(address()).toBe(`${start}/i2`))
  await form()
  await user.keyboard('u')
  await waitFor(() => expect(address()).toBe(`${start}/i1`))
  expect(sent).toContainEqual([`PATCH ${queue}/items/i1`, { status: 'PENDING' }])
  const fields = await form()
  expect(fields.getByLabelText('Value of rating')).toHaveProperty('value', '7')
  expect(fields.getByLabelText('Comment on rating')).toHaveProperty('value', 'sure')
  expect(fields.getByLabelText('Comment')).toHaveProperty('value', 'Fine.')
})

test('what was entered stays if it could not be stored', async () => {
  const { user } = renderApp(
    start,
    answers(['i1'], {
      [`POST ${queue}/items/i1/complete`]: () => refusal(409, 'Somebody else has this item open.'),
    }),
  )
  const fields = await form()
  await user.type(await fields.findByLabelText('Comment'), 'Mine.')
  await user.keyboard('{Control>}{Enter}{Enter}{/Control}')
  await screen.findByText('Somebody else has this item open.')
  expect(fields.getByLabelText('Comment')).toHaveProperty('value', 'Mine.')
})

test('an item that somebody else has leads to the next one', async () => {
  renderApp(
    `${start}/i9`,
    answers(['i1'], { [`POST ${queue}/items/i9/open`]: () => refusal(409, 'Taken') }),
  )
  await screen.findByText('Somebody else has this item open')
  expect(screen.getByRole('link', { name: 'Next item' }).getAttribute('href')).toBe(start)
})

test('at the end, skipped items are offered', async () => {
  const { user, sent } = renderApp(
    start,
    answers([], {
      [`POST ${queue}/next`]: (body: unknown) =>
        Response.json(
          (body as { skipped: boolean }).skipped
            ? review('i7')
            : nothing({ pending: 3, skipped: 2, taken: 1 }),
        ),
      [`POST ${queue}/items/i7/open`]: review('i7', { skipReason: 'too long' }),
    }),
  )
  await screen.findByText('Nothing left for you')
  screen.getByText('Others have 1 item open.')
  await user.click(screen.getByRole('button', { name: 'Review the 2 items that you skipped' }))
  await screen.findByText('You skipped it: too long')
  expect(sent.filter(([asked]) => asked.endsWith('/next')).at(-1)?.[1]).toEqual({ skipped: true })
})

test('those who may not review are told which role does, and get no item', async () => {
  const { sent } = renderApp(start, {
    ...answers(['i1']),
    'GET /api/ui/auth/session': signedIn('scores:read', 'traces:read'),
  })
  await screen.findByText('Your role does not allow this')
  expect([...ofKind(sent, 'next'), ...ofKind(sent, 'open')]).toEqual([])
})
