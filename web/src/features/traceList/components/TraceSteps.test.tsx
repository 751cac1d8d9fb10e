import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'
import { encodeList } from '../model/listAddress'

const row = (traceId: string) => ({ traceId, id: `root of ${traceId}` })
const base = '/api/ui/projects/p-search'
const filter = 'userId;string;;=;ann'

test('a trace leads to those beside it in its list, which is asked in its order and page by page', async () => {
  const list = encodeList({
    table: 'traces',
    search: { filter, sort: 'latency.desc' },
    asOf: new Date('2026-11-16T12:00:00.000Z'),
    row: undefined,
  })
  const { user, address, sent } = renderApp(
    `/project/p-search/traces/t2?list=${encodeURIComponent(list)}`,
    {
      'GET /api/ui/auth/session': signedIn('traces:read'),
      [`POST ${base}/query/traces`]: (body: unknown) =>
        Response.json(
          JSON.stringify(body).includes('"cursor":"more"')
            ? { rows: [row('t3')], cursor: null, searchedBack: null }
            : { rows: [row('t1'), row('t2')], cursor: 'more', searchedBack: null },
        ),
    },
  )
  const trace = () => /traces\/(\w+)/.exec(address())?.[1]
  await screen.findByText('2 of 3')
  await user.click(screen.getByRole('button', { name: 'Next trace in the list (Shift J)' }))
  await waitFor(() => expect(trace()).toBe('t3'))
  await screen.findByText('3 of 3')
  await user.keyboard('{Shift>}K{/Shift}')
  await screen.findByText('2 of 3')
  await user.keyboard('{Shift>}K{/Shift}')
  await waitFor(() => expect(trace()).toBe('t1'))
  const asked = sent.filter(([request]) => request === `POST ${base}/query/traces`)
  expect(asked).toHaveLength(2)
  expect(asked[0]?.[1]).toMatchObject({
    order: { column: 'latency', direction: 'desc' },
    filter: [{ column: 'userId', value: 'ann' }],
    conditionsOn: 'traces',
  })
})

test('a trace that was not opened from a list has no steps', async () => {
  renderApp('/project/p-search/traces/t2?list=users', {
    'GET /api/ui/auth/session': signedIn('traces:read'),
  })
  await screen.findByRole('heading', { name: 'Trace' })
  expect(screen.queryByRole('group', { name: 'Steps through the list' })).toBeNull()
})
