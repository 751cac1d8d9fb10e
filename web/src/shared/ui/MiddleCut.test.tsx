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

test('there is room for a wide end', () => {
  const room = (text: string) => {
    const { container } = render(<MiddleCut text={text} />)
    return Number.parseInt(
      container.querySelector('bdi')?.style.getPropertyValue('--end') ?? '',
      10,
    )
  }
  expect(room('customer-123456')).toBe(7)
  expect(room('customer-WWWWWW')).toBeGreaterThan(9)
  expect(room('客户客户客户客户')).toBeGreaterThan(11)
})
