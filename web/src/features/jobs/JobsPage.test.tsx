import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const base = '/api/ui/projects/p-search/jobs'
const job = {
  kind: 'export',
  id: 'e1',
  subject: 'traces',
  state: 'running',
  dueAt: null,
  startedAt: '2026-11-18T12:00:00.000Z',
  finishedAt: null,
  failures: 0,
  error: '',
  rows: 1200,
  totalRows: null,
}
const bucket = {
  ...job,
  kind: 'scheduled-export',
  id: 'p-search',
  subject: 'lake',
  state: 'failed',
  dueAt: '2026-11-18T13:00:00.000Z',
  failures: 2,
  rows: 0,
  error: 'The bucket does not exist.',
}

test('what runs can be cancelled, and what failed can be run again', async () => {
  const { sent, user } = renderApp('/project/p-search/settings/jobs', {
    'GET /api/ui/auth/session': signedIn('exports:write', 'integrations:write'),
    [`GET ${base}`]: { jobs: [job, bucket] },
    [`POST ${base}/export/e1/cancel`]: () => refusal(409, 'It is done.'),
    [`POST ${base}/scheduled-export/p-search/retry`]: bucket,
  })
  const table = within(await screen.findByRole('grid', { name: 'Jobs' }))
  await table.findByText('The bucket does not exist.')
  expect(table.getByText('1,200')).toBeTruthy()
  await user.click(table.getByRole('button', { name: 'Cancel: Export of traces' }))
  await screen.findByText('The job could not be cancelled')
  await user.click(table.getByRole('button', { name: 'Run again: Scheduled export to lake' }))
  await waitFor(() => expect(sent).toHaveLength(2))
})

test('the scheduled export is only changed by those who may', async () => {
  renderApp('/project/p-search/settings/jobs', {
    'GET /api/ui/auth/session': signedIn('exports:write', 'integrations:read'),
    [`GET ${base}`]: { jobs: [bucket] },
  })
  const table = within(await screen.findByRole('grid', { name: 'Jobs' }))
  await table.findByText('Scheduled export to lake')
  expect(table.queryByRole('button', { name: /^Run again/ })).toBeNull()
})

test('whoever may not export is told so', async () => {
  renderApp('/project/p-search/settings/jobs', { 'GET /api/ui/auth/session': signedIn() })
  await screen.findByText(/see the jobs/)
})

test('a second click where Cancel was does not run the job again', async () => {
  let state = 'running'
  const { sent, user } = renderApp('/project/p-search/settings/jobs', {
    'GET /api/ui/auth/session': signedIn('exports:write', 'integrations:write'),
    [`GET ${base}`]: () => Response.json({ jobs: [{ ...job, state }] }),
    [`POST ${base}/export/e1/cancel`]: () => {
      state = 'cancelled'
      return Response.json({ ...job, state })
    },
    [`POST ${base}/export/e1/retry`]: { ...job, state: 'queued' },
  })
  const cancel = await screen.findByRole('button', { name: 'Cancel: Export of traces' })
  await user.click(cancel)
  await screen.findByRole('button', { name: 'Run again: Export of traces' })
  await user.click(cancel)
  await new Promise((done) => setTimeout(done, 100))
  expect(sent.map(([asked]) => asked)).toEqual([`POST ${base}/export/e1/cancel`])
})

test('a long error can be read whole', async () => {
  const error = `The bucket refused: ${'a long story '.repeat(40)}end.`
  const { user } = renderApp('/project/p-search/settings/jobs', {
    'GET /api/ui/auth/session': signedIn('exports:write', 'integrations:write'),
    [`GET ${base}`]: { jobs: [{ ...bucket, error }] },
  })
  const table = within(await screen.findByRole('grid', { name: 'Jobs' }))
  expect(await table.findAllByText(/end\.$/)).toHaveLength(1)
  await user.click(table.getByRole('button', { name: 'Details of row 1' }))
  expect(await table.findAllByText(/end\.$/)).toHaveLength(2)
})
