import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MiddleCut } from './MiddleCut'

test.each([
  ['customer-maple', 'customer', '-maple'],
  ['abc', '', 'abc'],
  ['', '', ''],
  ['customer 😀abcde', 'customer ', '😀abcde'],
])('the end of %j is never cut', (text, start, end) => {
  const { container } = render(<MiddleCut text={text} />)
  const [first, last] = container.querySelectorAll('span')
  expect(first?.textContent).toBe(start)
  expect(last?.textContent).toBe(end)
  expect(container.textContent).toBe(text)
})
