import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { diffLayoutPreference } from '@/shared/diff'
import type { PromptBody } from './model/body'
import { PromptDiff } from './PromptDiff'

beforeEach(() => diffLayoutPreference.set('inline'))
afterEach(() => diffLayoutPreference.set('inline'))

const chat = (config: string, ...messages: [role: string, content: string][]): PromptBody => ({
  type: 'chat',
  prompt: messages.map(([role, content]) => ({ role, content })),
  config,
})

test('messages are compared by word, those that are the same are folded, and the config is compared', async () => {
  const before = chat('{"temperature":0.2}', ['system', 'You help.'], ['user', 'Tell me of cats'])
  const after = chat(
    '{"temperature":0.9}',
    ['system', 'You help.'],
    ['user', 'Tell me of dogs'],
    ['assistant', 'Wuff'],
  )
  render(<PromptDiff before={before} after={after} names={['Version 1', 'Version 2']} />)
  const changed = await screen.findByRole('region', { name: 'Difference: message of user' })
  expect(changed.querySelector('del')?.textContent).toBe('cats')
  expect(changed.querySelector('ins')?.textContent).toBe('dogs')
  within(screen.getByRole('region', { name: 'Added message' })).getByText('Wuff')
  const config = await screen.findByRole('region', { name: 'Difference: config' })
  expect(config.textContent).toContain('"temperature": 0.9')
  expect(screen.queryByText('You help.')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Show 1 message that is the same' }))
  screen.getByText('You help.')
})

test('all parts share one layout', async () => {
  render(
    <PromptDiff
      before={chat('{}', ['system', 'a fox'], ['user', 'b'])}
      after={chat('{}', ['system', 'a dog'], ['user', 'c'])}
    />,
  )
  await userEvent.click(screen.getByRole('radio', { name: 'Side by side' }))
  const region = await screen.findByRole('region', { name: 'Difference: message of system' })
  expect(within(region).getAllByRole('columnheader')).toHaveLength(4)
  expect(screen.getAllByRole('radio')).toHaveLength(2)
})

test('a text that is JSON is compared as it is written', async () => {
  render(
    <PromptDiff
      before={{ type: 'text', prompt: '{"a": 1}', config: '{}' }}
      after={{ type: 'text', prompt: '{ "a": 1}', config: '{}' }}
    />,
  )
  await screen.findByText('1 line removed, 1 line added')
})

test('equal versions say so', () => {
  render(<PromptDiff before={chat('{}', ['user', 'x'])} after={chat('{}', ['user', 'x'])} />)
  screen.getByText('Content and config are the same.')
})
