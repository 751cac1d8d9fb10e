import { screen } from '@testing-library/react'
import { test } from 'vitest'
import { renderAlone } from '@/test/renderAlone'
import { refusal } from '@/test/renderApp'
import { HistogramBar } from './HistogramBar'

test('a chart that could not be loaded says so, and is loaded when somebody tries again', async () => {
  let isBroken = true
  const asOf = new Date('2026-11-17T00:00Z')
  const user = renderAlone(
    <HistogramBar
      projectId="p"
      isEnabled
      onCompare={() => {}}
      view={{
        table: 'observations',
        query: { conditions: [], search: '' },
        unknown: [],
        range: { kind: 'last', amount: 1, unit: 'd' },
        environment: [],
        resetKey: '',
        selection: { from: '2026-11-16T00:00:00.000Z' },
        asOf,
        refresh: () => {},
        setQuery: () => {},
        setRange: () => {},
      }}
    />,
    async () =>
      isBroken
        ? refusal(400, 'out of luck')
        : Response.json({ start: asOf, step: 60_000, buckets: [], partial: false }),
  )
  await screen.findByText(/Couldn’t load the histogram: out of luck/)
  isBroken = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('Observations over time; drag to select a range')
})
