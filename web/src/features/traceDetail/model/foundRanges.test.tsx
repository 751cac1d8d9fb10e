import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { firstInValue, foundRanges } from './foundRanges'

test('a text is found wherever it occurs, and the first place in a value is told apart', () => {
  const { container } = render(
    <div>
      <h2>Weather</h2>
      <section data-value>
        <p>The WEATHER, the weather</p>
      </section>
    </div>,
  )
  const ranges = foundRanges(container, ' weather ')
  expect(ranges.map(String)).toEqual(['Weather', 'WEATHER', 'weather'])
  expect(String(firstInValue(ranges))).toBe('WEATHER')
  expect(foundRanges(container, '  ')).toEqual([])
})

test('of a text that occurs everywhere, a bounded number of places is marked', () => {
  const { container } = render(<p>{'a'.repeat(5_000)}</p>)
  expect(foundRanges(container, 'a')).toHaveLength(1000)
})
