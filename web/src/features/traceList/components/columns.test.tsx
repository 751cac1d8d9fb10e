import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Row } from '../model/rows'
import { columnsOf } from './columns'

const row: Row = {
  id: 'root',
  traceId: 't1',
  parentObservationId: null,
  type: 'SPAN',
  name: 'chat',
  traceName: 'chat',
  level: 'DEFAULT',
  statusMessage: null,
  startTime: '2026-11-16T12:00:00.000Z',
  endTime: null,
  latency: null,
  timeToFirstToken: null,
  model: null,
  promptName: null,
  promptVersion: null,
  environment: 'default',
  userId: null,
  sessionId: null,
  tags: [],
  version: null,
  release: null,
  bookmarked: true,
  inputPreview: null,
  outputPreview: null,
  metadata: {},
  usage: { input: 0, output: 0, total: 0 },
  totalCost: null,
  scores: {},
  public: true,
  comments: 2,
}

const columnOf = (id: string, table: 'traces' | 'observations' = 'traces') =>
  columnsOf('p', table, [], []).find((column) => column.id === id)

test('what people did with a trace is in columns by which it can be filtered', () => {
  for (const [id, text, condition] of [
    ['bookmarked', 'Bookmarked', { column: 'bookmarked', value: 'true' }],
    ['published', 'Published', { column: 'public', value: 'true' }],
    ['comments', '2 comments', { column: 'commentCount', value: '2' }],
  ] as const) {
    const { unmount } = render(<>{columnOf(id)?.cell(row)}</>)
    screen.getByText(text)
    unmount()
    expect(columnOf(id)?.filterValues?.(row)).toEqual([condition])
    const none = render(
      <>{columnOf(id)?.cell({ ...row, bookmarked: false, public: false, comments: 0 })}</>,
    )
    expect(none.container.textContent).toBe('')
    none.unmount()
    expect(columnOf(id, 'observations')).toBeUndefined()
  }
})
