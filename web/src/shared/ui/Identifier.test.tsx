import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Identifier } from './Identifier'

test('the end of an identifier, which tells it from others, is never cut', () => {
  render(<Identifier id="00000000000000000000000000000a0f" />)
  const code = screen.getByTitle('00000000000000000000000000000a0f')
  expect(code.textContent).toBe('00000000000000000000000000000a0f')
  expect(code.firstElementChild?.firstElementChild?.className).toContain('text-ellipsis')
  expect(code.firstElementChild?.lastElementChild?.textContent).toBe('000a0f')
  expect(code.querySelector('bdi')?.style.getPropertyValue('--end')).toBe('6ch')
})

test('a short one is whole', () => {
  render(<Identifier id="abc" />)
  expect(screen.getByTitle('abc').textContent).toBe('abc')
})
