import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Money } from './Money'

test('a tiny amount fits into a column, and is said exactly on demand', () => {
  render(<Money amount={0.00000024} isNarrow />)
  expect(screen.getByText('<$0.00001').title).toBe('$0.00000024')
})

test.each([
  [0.00000024, false, '$0.00000024'],
  [0.000012, true, '$0.000012'],
  [0, true, '$0.00'],
  [-0.00000024, true, '-$0.00000024'],
])('%d is shown as it is', (amount, isNarrow, text) => {
  render(<Money amount={amount} isNarrow={isNarrow} />)
  expect(screen.getByText(text).title).toBe('')
})
