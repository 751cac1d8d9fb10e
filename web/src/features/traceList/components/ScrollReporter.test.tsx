import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ScrollReporter } from './ScrollReporter'

test('a list that comes anew is at its top, whatever the one before was', () => {
  const tops: number[] = []
  const list = (key: string) => (
    <ScrollReporter key={key} onScroll={(top) => tops.push(top)}>
      <div role="grid" />
    </ScrollReporter>
  )
  const { rerender } = render(list('rows'))
  screen.getByRole('grid').scrollTop = 70
  fireEvent.scroll(screen.getByRole('grid'))
  rerender(list('rows again'))
  expect(tops).toEqual([0, 70, 0])
})
