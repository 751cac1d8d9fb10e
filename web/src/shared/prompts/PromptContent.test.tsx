import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderAlone } from '@/test/renderAlone'
import { PromptContent, PromptVariables } from './PromptContent'

const none = () => Promise.reject(new Error('nothing is fetched'))

test('markup in a prompt is text, and only variables are marked', () => {
  const hostile = '<img src=x onerror="alert(1)"> {{name}} [a](javascript:alert(1))'
  renderAlone(<PromptContent body={{ type: 'text', prompt: hostile, config: '{}' }} />, none)
  screen.getByText('{{name}}')
  expect(document.body.textContent).toContain(hostile)
  expect(document.querySelector('img, a, script')).toBeNull()
})

test('messages have roles, and placeholders say what they are', () => {
  const body = {
    type: 'chat' as const,
    prompt: [
      { role: 'constructor', content: 'Hi {{name}}' },
      { type: 'placeholder' as const, name: 'history' },
    ],
    config: '{}',
  }
  renderAlone(
    <>
      <PromptVariables body={body} />
      <PromptContent body={body} />
    </>,
    none,
  )
  const messages = within(screen.getByRole('list', { name: 'Messages' }))
  messages.getByText('constructor')
  messages.getByText('history')
  screen.getByText('Variables')
  screen.getByText('Placeholders')
})

test('a megabyte is opened by a button, in blocks, exactly as it is stored', async () => {
  const text = `${'All work and no play makes Jack a dull boy.\n'.repeat(23_000)}{{end}}`
  const user = renderAlone(
    <PromptContent body={{ type: 'text', prompt: text, config: '{}' }} />,
    none,
  )
  const shown = () =>
    [...document.querySelectorAll('[dir=auto]')].map((e) => e.textContent).join('')
  expect(shown().length).toBeLessThan(40_000)
  await user.click(screen.getByRole('button', { name: /Show the other [\d,]+ characters/ }))
  expect(shown()).toBe(text)
  screen.getByText('{{end}}')
})
