import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentProps } from 'react'
import { expect, test, vi } from 'vitest'
import { Pivot } from './Pivot'
import { SeriesChart } from './SeriesChart'

const hour = 3_600_000
const starts = Array.from({ length: 4 }, (_, at) => new Date(Date.UTC(2026, 0, 1, at)))
const series = [
  { label: 'small', values: [1, 2, null, 4] },
  { label: 'large', values: [10, 20, 30, 40] },
]

/** Renders the series as bars above each other, unless a test wants it otherwise, and returns the chart. */
function draw(props: Partial<ComponentProps<typeof SeriesChart>> = {}) {
  render(
    <SeriesChart
      title="Calls"
      starts={starts}
      step={hour}
      series={series}
      kind="stacked"
      format={String}
      {...props}
    />,
  )
  return screen.getByRole('slider', { name: new RegExp(`^${props.title ?? 'Calls'}`) })
}

test('a brush selects time by keys', async () => {
  const onSelect = vi.fn()
  const chart = draw({ onSelect })
  fireEvent.keyDown(chart, { key: 'Home' })
  expect(chart.getAttribute('aria-valuetext')).toMatch(/large 10, small 1$/)
  fireEvent.keyDown(chart, { key: 'ArrowRight' })
  fireEvent.keyDown(chart, { key: 'ArrowRight', shiftKey: true })
  expect(chart.getAttribute('aria-valuetext')).toMatch(/ to /)
  fireEvent.keyDown(chart, { key: 'Enter' })
  expect(onSelect.mock.lastCall).toEqual([starts[1], starts[3]])
})

test('the legend switches series, in the chart and in its table', async () => {
  const user = userEvent.setup()
  const chart = draw({ kind: 'lines' })
  const legend = within(screen.getByRole('list', { name: 'Series' }))
  expect(chart.querySelectorAll('path')).toHaveLength(2)
  await user.click(legend.getByRole('button', { name: 'large', pressed: true }))
  expect(chart.querySelectorAll('path')).toHaveLength(1)
  legend.getByRole('button', { name: 'large', pressed: false })
  expect(chart.getAttribute('aria-valuetext')).not.toContain('large')
  await user.click(screen.getByRole('button', { name: 'Calls as a table' }))
  const heads = screen.getAllByRole('columnheader').map((each) => each.textContent)
  expect(heads).toEqual(['Time', 'small'])
})

test('lines below zero are inside the chart, and lines without a colour are counted', () => {
  const many = Array.from({ length: 10 }, (_, at) => ({
    label: `s${at}`,
    values: [at === 0 ? 100 : 1, -50],
  }))
  const [line] = draw({
    title: 'Scores',
    starts: starts.slice(0, 2),
    series: many,
    kind: 'lines',
    height: 100,
  }).querySelectorAll('path')
  const numbers =
    line
      ?.getAttribute('d')
      ?.match(/-?[\d.]+/g)
      ?.map(Number) ?? []
  expect(numbers.at(-1)).toBeLessThanOrEqual(80)
  screen.getByText('2 smaller series not shown')
})

test('a pivot adds up what there is', () => {
  render(
    <Pivot
      label="Cost"
      rowTitle="Model"
      columnTitle="Day"
      rows={['a', 'b']}
      columns={['Mon', 'Tue']}
      values={[
        [1, null],
        [2, null],
      ]}
      format={String}
      hasTotals
    />,
  )
  const rows = screen.getAllByRole('row').map((row) => row.textContent)
  expect(rows).toEqual(['Model by dayMonTueTotal', 'a1–1', 'b2–2', 'Total3–3'])
})

test('what happened is marked, read out, and in the table', async () => {
  const user = userEvent.setup()
  const at = (hours: number) => new Date((starts[0]?.getTime() ?? 0) + hours * hour)
  const chart = draw({
    marks: [
      { at: at(-1), label: 'before' },
      { at: at(1.5), label: 'production moved' },
      { at: at(99), label: 'after' },
    ],
  })
  expect([...chart.querySelectorAll('title')].map((each) => each.textContent)).toEqual([
    'production moved',
  ])
  fireEvent.keyDown(chart, { key: 'Home' })
  expect(chart.getAttribute('aria-valuetext')).not.toContain('moved')
  fireEvent.keyDown(chart, { key: 'ArrowRight' })
  expect(chart.getAttribute('aria-valuetext')).toMatch(/, production moved$/)
  await user.click(screen.getByRole('button', { name: 'Calls as a table' }))
  expect(screen.getAllByRole('row')[2]?.textContent).toContain('production moved')
})

test('keys choose a series of a bucket and open it', () => {
  const onOpen = vi.fn()
  const chart = draw({ onOpen })
  fireEvent.keyDown(chart, { key: 'Home' })
  fireEvent.keyDown(chart, { key: 'Enter' })
  expect(onOpen.mock.lastCall).toEqual([undefined, starts[0], starts[1]])
  fireEvent.keyDown(chart, { key: 'ArrowUp' })
  fireEvent.keyDown(chart, { key: 'ArrowUp' })
  expect(chart.getAttribute('aria-valuetext')).toMatch(/: small 1$/)
  fireEvent.keyDown(chart, { key: 'Enter' })
  expect(onOpen.mock.lastCall).toEqual(['small', starts[0], starts[1]])
  // Beyond the last one, nothing is chosen; the third bucket has one bar.
  fireEvent.keyDown(chart, { key: 'ArrowUp' })
  fireEvent.keyDown(chart, { key: 'ArrowRight' })
  fireEvent.keyDown(chart, { key: 'ArrowRight' })
  fireEvent.keyDown(chart, { key: 'ArrowDown' })
  fireEvent.keyDown(chart, { key: 'Enter' })
  expect(onOpen.mock.lastCall).toEqual(['large', starts[2], starts[3]])
})

test('a click opens the series under the pointer, and beside the bars all of them', () => {
  const onOpen = vi.fn()
  const chart = draw({ height: 100, onOpen })
  // Of the larger series first; the smaller one has no value in the third bucket.
  const bars = [...chart.querySelectorAll('rect')]
  const numbers = (bar: Element | undefined, ...names: string[]) =>
    names.map((name) => Number(bar?.getAttribute(name)))
  const clickAt = (bar: Element | undefined, above = 0) => {
    const [x = 0, y = 0, width = 0, height = 0] = numbers(bar, 'x', 'y', 'width', 'height')
    fireEvent.click(chart, { clientX: x + width / 2, clientY: y + height / 2 - above })
  }
  clickAt(bars[3])
  expect(onOpen.mock.lastCall?.[0]).toBe('large')
  clickAt(bars[6])
  expect(onOpen.mock.lastCall?.[0]).toBe('small')
  clickAt(bars[6], 10)
  expect(onOpen.mock.lastCall).toEqual([undefined, starts[3], new Date(Date.UTC(2026, 0, 1, 4))])
})
