import { expect, test } from 'vitest'
import { experimentsIn, newRunDraft, runBody, runProblems, type RunDraft } from './runDraft'

const draft: RunDraft = {
  ...newRunDraft('d1', { connection: 'openai', model: 'gpt-4.1-mini' }),
  prompt: 'greeting',
  prompts: ['3', '2'],
}

test('a draft without problems becomes what is sent', () => {
  expect(runProblems(draft)).toEqual({})
  expect(
    runBody({ ...draft, temperature: 0, name: ' night ', checks: '{"type":"object"}' }),
  ).toEqual({
    datasetId: 'd1',
    name: 'night',
    prompts: [
      { name: 'greeting', version: 3 },
      { name: 'greeting', version: 2 },
    ],
    models: [{ connection: 'openai', model: 'gpt-4.1-mini' }],
    params: { temperature: 0 },
    repetitions: 1,
    concurrency: 4,
    checks: { equal: true, json: false, schema: { type: 'object' } },
  })
})

test('messages in place of a prompt', () => {
  const typed: RunDraft = { ...draft, source: 'messages', system: 'Be brief.', message: '{{q}}?' }
  expect(runProblems(typed)).toEqual({})
  const { prompts, messages } = runBody(typed)
  expect(prompts).toBeUndefined()
  expect(messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: '{{q}}?' },
  ])
  expect(runBody({ ...typed, system: ' ' }).messages).toHaveLength(1)
})

test('what is missing or too much is said', () => {
  expect(Object.keys(runProblems(newRunDraft('', null)))).toEqual([
    'datasetId',
    'prompt',
    'models.0.connection',
    'models.0.model',
  ])
  expect(runProblems({ ...draft, prompts: [] }).prompts).toBe('Choose at least one version')
  expect(runProblems({ ...draft, models: [] }).models).toBe('Choose at least one model')
  expect(runProblems({ ...draft, source: 'messages', message: ' ' }).message).toBeDefined()
  expect(runProblems({ ...draft, checks: '[]' }).checks).toBeDefined()
  const many: RunDraft = {
    ...draft,
    prompts: ['1', '2', '3', '4', '5'],
    models: Array.from({ length: 5 }, (_, n) => ({ connection: 'c', model: `m${n}` })),
  }
  expect(experimentsIn(many)).toBe(25)
  expect(runProblems(many).models).toMatch(/25 experiments/)
})
