import { describe, expect, it } from 'vitest'
import { asLines } from './testing'
import { readConversationText } from './readConversation'

/** Values written by hand, by what they show. Those of libraries are in captured.test.ts. */
const table: [string, unknown, string[] | undefined][] = [
  ['a message', { role: 'user', content: 'Hi' }, ['user: Hi']],
  ['a list', [{ role: 'user', content: 'Hi' }], ['user: Hi']],
  [
    'one message that nobody knows among others',
    [{ role: 'user', content: 'Hi' }, { strange: 1 }, 7],
    ['user: Hi', '?: {"strange":1}', '?: 7'],
  ],
  [
    'one part that nobody knows among others',
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'hologram', id: 1 },
        ],
      },
    ],
    ['user: Hi | {"type":"hologram","id":1}'],
  ],
  [
    'wrong types everywhere',
    { messages: [{ role: 5, content: {} }, null, { role: 'user', content: 5, tool_calls: 'x' }] },
    ['?: {"role":5,"content":{}}', '?: null', 'user: 5'],
  ],
  ['people, who also have roles', [{ role: 'admin', name: 'Ada' }], undefined],
  ['content of no kind', [{ role: 'user', content: { a: 1 } }], ['user: {"a":1}']],
  ['no conversation', { city: 'Oslo' }, undefined],
  ['a list of other things', [1, 2, { a: 1 }], undefined],
  ['nothing', { messages: [] }, undefined],
  ['an embedding', { model: 'm', input: ['a', 'b'] }, undefined],
  [
    'a result with an error',
    [{ role: 'tool', tool_call_id: '1', name: 'f', content: 'no', status: 'error' }],
    ['tool: 1 f -> error no'],
  ],
  [
    'a call of old',
    { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
    ['assistant: f({})'],
  ],
  [
    'a refusal and a custom tool',
    {
      role: 'assistant',
      refusal: 'No.',
      tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'sh', input: 'ls' } }],
    },
    ['assistant: No. | c sh(ls)'],
  ],
  [
    'parts of a message as text',
    [{ role: 'user', content: '[{"type":"text","text":"Hi"}]' }],
    ['user: Hi'],
  ],
  [
    'text that looks like parts and is not',
    [{ role: 'user', content: '[{"type":"banana"}]' }],
    ['user: [{"type":"banana"}]'],
  ],
  [
    'audio and files',
    [
      {
        role: 'user',
        content: [
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
          {
            type: 'file',
            file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
          },
        ],
      },
    ],
    ['user: <audio audio/mpeg data> | <file application/pdf data a.pdf>'],
  ],
  [
    'files of this server',
    [
      {
        role: 'user',
        content: [
          {
            type: 'image_url',
            image_url: { url: '@@@langfuseMedia:type=image/png|id=abc|source=bytes@@@' },
          },
          {
            type: 'text',
            text: 'see @@@langfuseMedia:type=audio/wav|id=d-e_f|source=file@@@ there',
          },
        ],
      },
    ],
    ['user: <image image/png abc> | see  | <audio audio/wav d-e_f> |  there'],
  ],
  [
    'server tools and hidden thoughts of Anthropic',
    {
      role: 'assistant',
      content: [
        { type: 'redacted_thinking', data: 'x' },
        { type: 'server_tool_use', id: 's', name: 'web_search', input: { q: 'a' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 's',
          content: [{ type: 'text', text: 'b' }],
        },
        {
          type: 'document',
          title: 'T',
          source: { type: 'text', media_type: 'text/plain', data: 'D' },
        },
      ],
    },
    ['assistant: (hidden) | s web_search({"q":"a"}) | s -> b | D'],
  ],
  [
    'items of OpenAI that it carries out',
    {
      object: 'response',
      output: [
        { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'x' },
        { type: 'web_search_call', id: 'w', status: 'completed' },
        { type: 'mcp_call', id: 'm', name: 'f', arguments: '{}', output: 'o', server_label: 's' },
        { type: 'custom_tool_call', call_id: 'c', name: 'g', input: 'raw' },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 't' }] },
      ],
      tools: [{ type: 'web_search' }],
    },
    [
      'assistant: (hidden) | {"type":"web_search_call","id":"w","status":"completed"} | m f({}) | m f -> o | c g(raw)',
      'tool: c -> t',
      'tools: web_search',
    ],
  ],
  [
    'code that Gemini runs',
    {
      candidates: [
        {
          content: {
            parts: [
              { executableCode: { language: 'PYTHON', code: 'print(1)' } },
              { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
              { fileData: { mimeType: 'video/mp4', fileUri: 'gs://b/v.mp4' } },
            ],
          },
        },
      ],
    },
    ['assistant: ```python\nprint(1)\n``` | ```\n1\n``` | <video video/mp4 gs://b/v.mp4>'],
  ],
  [
    'files and guards of Bedrock',
    {
      modelId: 'm',
      messages: [
        {
          role: 'user',
          content: [
            { image: { format: 'png', source: { bytes: 'AAAA' } } },
            { document: { format: 'pdf', name: 'd', source: { s3Location: { uri: 's3://b/d' } } } },
            { guardContent: { text: { text: 'g' } } },
            { cachePoint: { type: 'default' } },
            { reasoningContent: { redactedContent: 'x' } },
          ],
        },
      ],
    },
    ['user: <image image/png data> | <file application/pdf s3://b/d d> | g | (hidden)'],
  ],
  [
    'parts of the conventions',
    [
      {
        role: 'user',
        parts: [
          { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'AAAA' },
          { type: 'uri', modality: 'video', uri: 'https://example.com/v' },
          { type: 'reasoning', content: 'hm' },
          { type: 'file', modality: 'image', file_id: 'f' },
        ],
      },
    ],
    [
      'user: <image image/png data> | <video https://example.com/v> | (hm) | {"type":"file","modality":"image","file_id":"f"}',
    ],
  ],
  [
    'events of the conventions',
    [{ 'event.name': 'gen_ai.user.message', role: 'user', content: 'hi' }],
    ['user: hi'],
  ],
  [
    'a choice as an event',
    { index: 0, finish_reason: 'stop', message: '{"role":"assistant","content":"Quatre"}' },
    ['assistant: Quatre'],
  ],
  [
    'a choice of Logfire',
    { 'event.name': 'gen_ai.choice', message: { role: 'assistant', content: 'yo' } },
    ['assistant: yo'],
  ],
  [
    'OpenInference after it was put together',
    [
      {
        message: {
          role: 'user',
          contents: [
            { message_content: { type: 'text', text: 'Hi' } },
            {
              message_content: {
                type: 'image',
                image: { image: { url: 'https://example.com/i' } },
              },
            },
          ],
        },
      },
      {
        message: {
          role: 'assistant',
          tool_calls: [{ tool_call: { id: 'c', function: { name: 'add', arguments: '{"a":1}' } } }],
        },
      },
    ],
    ['user: Hi | <image https://example.com/i>', 'assistant: c add({"a":1})'],
  ],
  [
    'calls that the AI SDK writes as text',
    {
      role: 'assistant',
      content: 'Checking',
      tool_calls:
        '[{"type":"tool-call","toolCallId":"t1","toolName":"weather","input":{"c":"Rome"}}]',
    },
    ['assistant: Checking | t1 weather({"c":"Rome"})'],
  ],
  [
    'failures of the AI SDK',
    [
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'f',
            output: { type: 'error-text', value: 'no' },
          },
          { type: 'tool-result', toolCallId: 'b', toolName: 'g', result: { x: 1 } },
        ],
      },
    ],
    ['tool: a f -> error no | b g -> {"x":1}'],
  ],
  ['Genkit', { role: 'model', content: [{ text: 'yo' }] }, ['assistant: yo']],
  [
    'a tool told as a message',
    [
      { role: 'user', content: 'Hi' },
      { role: 'tool', content: { type: 'function', function: { name: 'f', parameters: {} } } },
    ],
    ['user: Hi', 'tools: f'],
  ],
]

describe('values written by hand', () => {
  it.each(table)('%s', (_, value, lines) => {
    const conversation = readConversationText(JSON.stringify(value))
    expect(conversation && asLines(conversation)).toEqual(lines)
  })
})

describe('texts', () => {
  it('shows letters instead of escapes, and keeps the digits of arguments', () => {
    const text =
      '[{"role":"assistant","content":"\\u5f53","tool_calls":[{"id":"c","function":{"name":"f","arguments":{"n":12345678901234567890}}}]}]'
    const conversation = readConversationText(text)
    expect(conversation && asLines(conversation)).toEqual([
      'assistant: 当 | c f({"n":12345678901234567890})',
    ])
  })

  it('reads as many messages as there are in a text that was cut', () => {
    const whole = JSON.stringify([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'A long answer' },
    ])
    const conversation = readConversationText(whole.slice(0, -8), true)
    expect(conversation && asLines(conversation)).toEqual(['user: Hi', 'assistant: A long a'])
  })

  it('survives what is nested deeper than anything real', () => {
    const deep = (inner: string, times: number) =>
      '[{"role":"user","content":'.repeat(times) + inner + '}]'.repeat(times)
    expect(readConversationText(deep('"x"', 500))?.messages).toHaveLength(1)
    expect(readConversationText('['.repeat(100_000) + ']'.repeat(100_000))).toBeUndefined()
  })
})
