import type { FieldKind } from '@/shared/io'

type Example = { label: string; field: FieldKind; text: string }

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

const conversation = {
  model: 'gpt-5-mini',
  messages: [
    {
      role: 'system',
      content: 'Be brief. Answer with a **table** if there is more than one city.',
    },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is the weather in Oslo and in 東京? <b>Now</b>, please.' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
        { type: 'image_url', image_url: { url: 'https://pictures.example/sky.png' } },
      ],
    },
    {
      role: 'assistant',
      reasoning_content: 'Two cities: I need **two** calls.\n\n1. Oslo\n2. 東京',
      content: null,
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
        },
        {
          id: 'call_2',
          type: 'function',
          function: {
            name: 'get_weather',
            arguments: '{"city":"\\u6771\\u4eac","stamp":12345678901234567890}',
          },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '{"sky":"sunny","degrees":-3}' },
    {
      role: 'tool',
      tool_call_id: 'call_2',
      content: 'The station does not answer',
      status: 'error',
    },
    {
      role: 'assistant',
      content:
        'It is sunny in Oslo.\n\n| City | Sky |\n|---|---|\n| Oslo | sunny |\n| 東京 | unknown |\n\n```python\nprint("wear a hat")\n```\n\n- a hat\n- gloves\n  - warm ones\n\n> Said by the [station](https://station.example/oslo).',
    },
    { odd: 'what no library writes', n: 12345678901234567890n.toString() },
  ],
  tools: [
    weather,
    { type: 'function', function: { name: 'get_tides', description: 'The tides of a harbour.' } },
  ],
}

/** The smallest PDF that viewers show, and a fifth of a second of silence. */
const pdf = btoa(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n4 0 obj<</Length 41>>stream\nBT /F 24 Tf 20 40 Td (A small PDF) Tj ET\nendstream endobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>',
)
const silence = btoa(
  'RIFF\x64\x06\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x40\x06\0\0' +
    '\x80'.repeat(1600),
)
const drawing =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="60"><script>alert(1)</script><circle cx="30" cy="30" r="20"/></svg>',
  )

const files = [
  {
    role: 'user',
    content: [
      { type: 'image_url', image_url: { url: drawing } },
      { type: 'input_audio', input_audio: { data: silence, format: 'wav' } },
      {
        type: 'file',
        file: { filename: 'small.pdf', file_data: `data:application/pdf;base64,${pdf}` },
      },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(1_000_000)}` } },
      { type: 'text', text: '@@@langfuseMedia:type=image/png|id=gone|source=bytes@@@' },
    ],
  },
]

const hostile = [
  '<script>alert(document.cookie)</script> <img src=x onerror="alert(1)">',
  '',
  '[a trap](javascript:alert(1)) and [a place](https://example.com/) and ![a pixel](https://tracker.example/p.gif)',
  '',
  '<iframe src="https://evil.example"></iframe>',
  '',
  '> '.repeat(60) + 'deep',
].join('\n')

/** Values that have broken viewers before. */
export const nastyValues: Example[] = [
  { label: 'Conversation', field: 'input', text: JSON.stringify(conversation) },
  { label: 'Files', field: 'input', text: JSON.stringify(files) },
  { label: 'Hostile text', field: 'output', text: hostile },
  {
    label: 'Right to left',
    field: 'output',
    text: 'مرحبا، كيف حالك؟ هذا **نص** مع `code` و English.\n\nשלום עולם: 123\n\n- עברית\n- العربية',
  },
  {
    label: 'Chinese, Japanese, Korean',
    field: 'output',
    text: '当たり前の日本語。中文没有空格，所以这一行很长。한국어도 있습니다. '.repeat(12),
  },
  { label: 'A word of 10,000 letters', field: 'output', text: 'w'.repeat(10_000) },
  {
    label: 'JSON',
    field: 'metadata',
    text: `{"id":12345678901234567890,"price":1.10,"escaped":"\\u5f53\\n\\u0000","empty":{},"none":[],"yes":true,"nothing":null,"${'k'.repeat(300)}":"${'v'.repeat(2000)}","nested":{"list":[1,[2,[3,[4]]]],"first name":"Ada"}}`,
  },
  { label: 'Deep JSON', field: 'metadata', text: '{"a":['.repeat(5000) + '1' + ']}'.repeat(5000) },
  { label: 'Broken JSON', field: 'metadata', text: '{"a": 1, "b": [1, 2' },
]

/** JSON of about the given size, like that of a trace with many steps. */
export function hugeJson(bytes: number): string {
  const one = JSON.stringify({
    id: 'step',
    tokens: 1234,
    ok: true,
    note: 'What was found there, and what to do about it. '.repeat(3),
    tags: ['a', 'b'],
    scores: { quality: 0.75, speed: 12 },
  })
  return `{"steps":[${Array.from({ length: Math.ceil(bytes / one.length) }, () => one).join(',')}],"end":"needle \\u5f53"}`
}
