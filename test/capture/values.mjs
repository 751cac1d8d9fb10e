// What the AI SDK gives and gets as values, like values.py:
//
//     python values.py OUT_DIRECTORY ai node values.mjs
//
// It needs ai, @ai-sdk/openai and zod.
import { createOpenAI } from '@ai-sdk/openai'
import * as ai from 'ai'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'

const { version } = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('ai/package.json'), 'utf8'))
const model = createOpenAI({ baseURL: process.env.MODEL_URL + '/v1', apiKey: 'unused' }).chat('gpt-5-mini')
const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const messages = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is the weather in Oslo? 天気は？' },
      { type: 'image', image, mediaType: 'image/png' },
    ],
  },
]
const getWeather = ai.tool({
  description: 'The weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ sky: `sunny in ${city}` }),
})
const result = await ai.generateText({
  model,
  system: 'Be brief.',
  messages,
  tools: { get_weather: getWeather },
  stopWhen: ai.stepCountIs?.(2) ?? ai.isStepCount(2),
})
const page = [
  { id: '1', role: 'user', parts: [{ type: 'text', text: 'What is the weather in Oslo?' }] },
  {
    id: '2',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'reasoning', text: 'I need the weather.' },
      { type: 'tool-get_weather', toolCallId: 'call_1', state: 'output-available', input: { city: 'Oslo' }, output: { sky: 'sunny' } },
      { type: 'text', text: 'It is sunny in Oslo.' },
    ],
  },
]
const values = {
  prompt: { system: 'Be brief.', prompt: 'What is the weather in Oslo?' },
  messages,
  'response messages': result.response.messages,
  steps: result.steps.map(({ text, toolCalls, toolResults }) => ({ text, toolCalls, toolResults })),
  'tool calls': result.steps[0].toolCalls,
  'messages of a page': await ai.convertToModelMessages(page),
  'page messages': page,
}
writeFileSync(process.argv[2], JSON.stringify({ library: `ai ${version}`, values }, null, 1) + '\n')
