import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { FoundText } from './found'
import { Value } from './value/Value'

const show = (text: string, found: string) =>
  render(
    <FoundText value={found}>
      <Value text={text} field="input" />
    </FoundText>,
  )

test('what is searched for is opened and marked in JSON', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
  show(JSON.stringify({ a: { b: { c: { d: { e: 'the Needle' } } } } }), 'needle')
  expect((await screen.findByText('Needle')).tagName).toBe('MARK')
})

test('a message with what is searched for is not hidden', () => {
  const messages = Array.from({ length: 120 }, (_, at) => ({
    role: at % 2 ? 'assistant' : 'user',
    content: at === 5 ? 'a needle' : `message ${at}`,
  }))
  const { unmount } = show(JSON.stringify(messages), '')
  expect(screen.queryByText('a needle')).toBeNull()
  unmount()
  show(JSON.stringify(messages), 'Needle')
  screen.getByText('a needle')
})
