import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { TimeChart } from './TimeChart'

const hour = 3_600_000
const starts = Array.from({ length: 4 }, (_, at) => new Date(Date.UTC(2026, 0, 1, at)))

test('a tap opens what is under the finger, which has left by the time of the click', () => {
  const onOpen = vi.fn()
  render(
    <TimeChart
      title="Calls"
      starts={starts}
      step={hour}
      series={[{ label: 'calls', tone: 'accent', values: [1, 2, 3, 4] }]}
      format={String}
      onOpen={onOpen}
    />,
  )
  const chart = screen.getByRole('slider')
  fireEvent.pointerDown(chart, { clientX: 10_000 })
  fireEvent.pointerUp(chart, { clientX: 10_000 })
  fireEvent.pointerLeave(chart)
  fireEvent.click(chart, { clientX: 10_000 })
  expect(onOpen.mock.lastCall).toEqual([starts[3], new Date(Date.UTC(2026, 0, 1, 4))])
})
