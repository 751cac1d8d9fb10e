import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderAlone } from '@/test/renderAlone'
import type { Row } from '../model/rows'
import { BulkDialog } from './BulkDialog'

test('traces are tagged together, and get back what they had', async () => {
  const asked: [string, unknown][] = []
  const user = renderAlone(
    <BulkDialog
      projectId="p"
      table="traces"
      kind="mark"
      target={{
        kind: 'rows',
        rows: ['a', 'b', 'gone'].map((traceId) => ({ traceId, id: 'root' }) as Row),
      }}
      count={3}
      onClose={() => {}}
    />,
    async (request) => {
      asked.push([`${request.method} ${new URL(request.url).pathname}`, await request.json()])
      return Response.json({
        marked: [
          { traceId: 'a', bookmarked: true, tags: null },
          { traceId: 'b', bookmarked: null, tags: ['old'] },
        ],
        failed: [{ traceId: 'gone', message: 'There is no such trace in this project' }],
      })
    },
  )
  await user.click(screen.getByRole('button', { name: /Change$/ }))
  await user.click(await screen.findByRole('option', { name: 'Add a tag' }))
  await user.type(screen.getByRole('textbox', { name: 'Tag' }), ' seen ')
  await user.click(screen.getByRole('button', { name: 'Tag 3 traces' }))
  await screen.findByText('2 changed.')
  screen.getByText('There is no such trace in this project')
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await screen.findByText('2 restored.')
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  const base = '/api/ui/projects/p/traces'
  expect(asked).toEqual([
    [`POST ${base}/marks`, { traceIds: ['a', 'b', 'gone'], addTags: ['seen'] }],
    [`PATCH ${base}/a/marks`, { tags: null }],
    [`PATCH ${base}/b/marks`, { tags: ['old'] }],
  ])
})
