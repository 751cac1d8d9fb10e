import { render, screen } from '@testing-library/react'
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

test('the name of a link has nothing between the two parts', () => {
  render(
    <a href="/">
      <MiddleCut text="customer-maple" />
    </a>,
  )
  expect(screen.getByRole('link', { name: 'customer-maple' })).toBeDefined()
})

test('there is as much room as the end takes', () => {
  const room = (text: string, isMono = false) => {
    const { container } = render(<MiddleCut text={text} isMono={isMono} />)
    return Number.parseFloat(container.querySelector('bdi')?.style.getPropertyValue('--end') ?? '')
  }
  expect(room('customer-123456')).toBe(6)
  expect(room('customer-willow')).toBeLessThan(7)
  expect(room('ada@example.com')).toBeLessThan(6.5)
  expect(room('illililil', true)).toBe(6)
  expect(room('customer-WWWWWW')).toBeGreaterThan(9)
  expect(room('客户客户客户客户')).toBeGreaterThan(11)
})
