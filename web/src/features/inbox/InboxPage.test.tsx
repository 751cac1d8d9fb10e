import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const entry = {
  id: 'i2',
  kind: 'mention',
  projectId: 'p-search',
  projectName: 'Search',
  createdAt: '2026-11-18T12:00:00.000Z',
  read: false,
  comment: {
    id: 'c1',
    objectType: 'OBSERVATION',
    objectId: 'o1',
    traceId: 't1',
    excerpt: 'see @[Ann Lee](user:u1), please',
    authorName: 'Grace Hopper',
    promptName: null,
    promptVersion: null,
  },
  export: null,
}
const failed = {
  ...entry,
  id: 'i1',
  kind: 'export',
  read: true,
  comment: null,
  export: {
    id: 'e1',
    table: 'audit_logs',
    format: 'csv',
    state: 'failed',
    error: 'Too much.',
    rows: 0,
  },
}

test('what is new is counted, and leads to the very comment', async () => {
  let unread = 1
  const { user, sent, address } = renderApp('/account/inbox', {
    'GET /api/ui/auth/session': signedIn('traces:read', 'comments:read', 'exports:write'),
    'GET /api/ui/inbox': () => Response.json({ data: [entry, failed], meta: {}, unread }),
    'POST /api/ui/inbox/read': () => {
      unread = 0
      return new Response(null, { status: 204 })
    },
  })
  await screen.findByRole('link', { name: 'Inbox, 1 unread' })
  const list = within(await screen.findByRole('list', { name: 'Inbox' }))
  list.getByText('see @Ann Lee, please')
  list.getByText('Too much.')
  expect(list.getByRole('link', { name: /audit logs as CSV failed/ }).getAttribute('href')).toBe(
    '/project/p-search/settings/exports',
  )
  await user.click(list.getByRole('link', { name: /Grace Hopper mentioned you/ }))
  await waitFor(() =>
    expect(address()).toBe(
      '/project/p-search/traces/t1?observation=o1&traceTab=comments#comment-c1',
    ),
  )
  expect(sent).toEqual([['POST /api/ui/inbox/read', { ids: ['i2'] }]])
  await screen.findByRole('link', { name: 'Inbox' })
})

test('everything that is seen is marked as read at once, and nothing that came since', async () => {
  const { user, sent } = renderApp('/account/inbox', {
    'GET /api/ui/auth/session': signedIn(),
    'GET /api/ui/inbox': { data: [entry, failed], meta: {}, unread: 1 },
    'POST /api/ui/inbox/read': () => new Response(null, { status: 204 }),
  })
  await screen.findByRole('list', { name: 'Inbox' })
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Mark all as read' })).toHaveProperty(
      'disabled',
      false,
    ),
  )
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }))
  await waitFor(() => expect(sent).toEqual([['POST /api/ui/inbox/read', { upTo: 'i2' }]]))
})

test('an empty inbox says what will be in it', async () => {
  renderApp('/account/inbox', {
    'GET /api/ui/auth/session': signedIn(),
    'GET /api/ui/inbox': { data: [], meta: {}, unread: 0 },
  })
  await screen.findByText('Nothing yet')
})

test('a comment on a prompt leads to its version, unless that is deleted', async () => {
  const onPrompt = (id: string, promptName: string | null, promptVersion: number | null) => ({
    ...entry,
    id,
    comment: { ...entry.comment, objectType: 'PROMPT', traceId: '', promptName, promptVersion },
  })
  renderApp('/account/inbox', {
    'GET /api/ui/auth/session': signedIn('prompts:read', 'comments:read'),
    'GET /api/ui/inbox': {
      data: [onPrompt('i2', 'team/greet', 3), onPrompt('i1', null, null)],
      meta: {},
      unread: 0,
    },
  })
  const list = within(await screen.findByRole('list', { name: 'Inbox' }))
  expect(list.getAllByText(/mentioned you in a comment on a prompt/)).toHaveLength(2)
  expect(list.getByRole('link', { name: /on a prompt/ }).getAttribute('href')).toBe(
    '/project/p-search/prompts/team%2Fgreet?version=3&tab=comments#comment-c1',
  )
})
