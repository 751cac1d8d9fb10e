import { expect, test } from 'vitest'
import { callCode, readingCode } from './sdkCode'
import type { Detail } from './wire'

function generation(change: {
  input?: string | null
  modelParameters?: string | null
  model?: string | null
  isCut?: boolean
}): Detail {
  const { input = '', modelParameters = null, model = 'gpt-x', isCut = false } = change
  return {
    id: 'o1',
    traceId: 't1',
    model,
    texts: { input, modelParameters },
    cut: isCut ? { input: { truncated: true, bytes: 1_000_000 } } : {},
  } as unknown as Detail
}

const messages = [
  { role: 'system', content: 'Be "kind"' },
  { role: 'user', content: 'Hello', name: null },
]

const parameters = JSON.stringify({
  temperature: '0.2',
  stop: ['END'],
  logprobs: true,
  api_key: 'sk-secret',
  base_url: 'https://internal',
  headers: { Authorization: 'Bearer secret' },
  extra: 1,
})

test('a call is written with its messages and settings, and nothing else', () => {
  const [py, js] = callCode(
    generation({ input: JSON.stringify(messages), modelParameters: parameters }),
  )
  expect(py?.code).toBe(`# OPENAI_API_KEY; OPENAI_BASE_URL for another provider
from openai import OpenAI

answer = OpenAI().chat.completions.create(
    model="gpt-x",
    messages=[
        {
            "role": "system",
            "content": "Be \\"kind\\"",
        },
        {
            "role": "user",
            "content": "Hello",
            "name": None,
        },
    ],
    temperature=0.2,
    stop=[
        "END",
    ],
    logprobs=True,
)
print(answer.choices[0].message)`)
  expect(js?.code).toContain('  temperature: 0.2,\n')
  for (const { code } of [py, js].flatMap((each) => each ?? []))
    expect(code).not.toMatch(/secret|internal|extra/)
})

test('tools of the input go along; Anthropic gets its instructions and a length', () => {
  const input = JSON.stringify({ messages, tools: [{ name: 'search' }], api_key: 'sk-secret' })
  const [openai] = callCode(generation({ input }))
  expect(openai?.code).toContain('tools=[')
  expect(openai?.code).not.toContain('secret')
  const [claude] = callCode(generation({ input, model: 'claude-x' }))
  expect(claude?.code).toContain('from anthropic import Anthropic')
  expect(claude?.code).toContain('max_tokens=1024')
  expect(claude?.code).toContain('system="Be \\"kind\\""')
  expect(claude?.code).not.toContain('"role": "system"')
})

test('a plain text is one message; a long input is read from the server', () => {
  expect(callCode(generation({ input: '"hi"' }))[0]?.code).toContain('"content": "hi"')
  for (const long of [
    generation({ input: JSON.stringify(messages), isCut: true }),
    generation({ input: JSON.stringify([{ role: 'user', content: 'x'.repeat(30_000) }]) }),
  ])
    for (const { code } of callCode(long)) {
      expect(code.length).toBeLessThan(2000)
      expect(code).toMatch(/messages=messages|messages: messages/)
    }
})

test('what is no call of a model has no code', () => {
  expect(callCode(generation({ input: '"hi"', model: null }))).toEqual([])
  expect(callCode(generation({ input: null }))).toEqual([])
  expect(callCode(generation({ input: '{"question":1}' }))).toEqual([])
  expect(callCode(generation({ input: '[{"no":"role"}]' }))).toEqual([])
})

test('reading code quotes any id', () => {
  const [py, js] = readingCode('https://almanac.test', 'a"b\\c', "o'\n1")
  expect(py?.code).toContain(String.raw`trace_id="a\"b\\c"`)
  expect(js?.code).toContain(String.raw`traceId: "a\"b\\c"`)
  expect(py?.code).toContain('LANGFUSE_SECRET_KEY')
})

test('numbers keep their digits', () => {
  const input = '[{"role":"user","content":[{"id":12345678901234567890,"at":1.50,"n":7}]}]'
  for (const { code } of callCode(
    generation({ input, modelParameters: '{"seed":"9007199254740993"}' }),
  )) {
    expect(code).toContain('"id": 12345678901234567890,')
    expect(code).toContain('"at": 1.50,')
    expect(code).toContain('"n": 7')
    expect(code).toMatch(/seed[=:] ?9007199254740993/)
  }
})
