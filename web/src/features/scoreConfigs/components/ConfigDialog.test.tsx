import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { ScoreConfig } from '@/shared/scoring'
import { ConfigDialog } from './ConfigDialog'

afterEach(() => vi.unstubAllGlobals())

const config: ScoreConfig = {
  id: 'c/1',
  projectId: 'p1',
  name: 'quality',
  dataType: 'CATEGORICAL',
  isArchived: false,
  description: null,
  minValue: null,
  maxValue: null,
  categories: [{ label: 'good', value: 1 }],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

test('a config is changed by what differs from a valid form, and the dialog closes', async () => {
  const asked: [string, string, unknown][] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push([request.method, new URL(request.url).pathname, await request.json()])
    return Response.json(config)
  })
  const onClose = vi.fn()
  const user = userEvent.setup()
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ConfigDialog projectId="p1" config={config} onClose={onClose} />
    </QueryClientProvider>,
  )
  await user.click(screen.getByRole('button', { name: 'Add a category' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  screen.getByText('Every category needs a label')
  expect(asked).toEqual([])
  const labels = screen.getAllByRole('textbox', { name: 'Label' })
  await user.type(labels[1] ?? document.body, 'bad')
  const values = screen.getAllByRole('textbox', { name: 'Value' })
  await user.clear(values[1] ?? document.body)
  await user.type(values[1] ?? document.body, '0')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(asked).toEqual([
    [
      'PATCH',
      '/api/ui/projects/p1/score-configs/c%2F1',
      {
        name: 'quality',
        description: '',
        categories: [
          { label: 'good', value: 1 },
          { label: 'bad', value: 0 },
        ],
      },
    ],
  ])
})
