import { expect, test } from 'vitest'
import { snippets } from './snippets'

test('every snippet has the address and both keys', () => {
  const all = snippets('https://a.example/base', { publicKey: 'pk-lf-1', secretKey: 'sk-lf-2' })
  expect(all.map((each) => each.id)).toEqual(['python', 'js', 'curl', 'otel'])
  for (const { code } of all) {
    expect(code).toContain('https://a.example/base')
    expect(code).toContain('pk-lf-1')
    expect(code).toContain('sk-lf-2')
  }
})
