import { describe, expect, it } from 'vitest'
import { blobOf, readDataUri } from './dataUri'
import { sameOriginUrl } from './sameOriginUrl'

describe('readDataUri', () => {
  it.each([
    ['data:image/png;base64,AAAA', { type: 'image/png', isBase64: true, bytes: 3, start: 22 }],
    ['DATA:,x', { type: 'text/plain', isBase64: false, bytes: 1, start: 6 }],
    [
      'data:text/html;charset=utf-8,<b>',
      { type: 'text/html', isBase64: false, bytes: 3, start: 29 },
    ],
    ['data:image/png;base64', undefined],
    ['https://example.com/,', undefined],
    [`data:${'x'.repeat(300)},a`, undefined],
  ])('%.30s', (uri, expected) => {
    expect(readDataUri(uri)).toEqual(expected)
  })

  it('reads the bytes', async () => {
    const bytes = async (uri: string) => new Uint8Array((await blobOf(uri)?.arrayBuffer()) ?? [])
    expect([...(await bytes('data:image/png;base64,AP-_'))]).toEqual([0, 255, 191])
    expect([...(await bytes('data:,a%20b'))]).toEqual([97, 32, 98])
    expect(blobOf('data:image/png;base64,***')).toBeUndefined()
    expect(blobOf('data:,%')).toBeUndefined()
  })
})

describe('ownAddress', () => {
  it.each([
    [
      'https://elsewhere.example/base/api/public/media/a/content?s=1',
      '/base/api/public/media/a/content?s=1',
    ],
    ['/api/public/media/a/content?s=1', '/api/public/media/a/content?s=1'],
    ['//evil.example/x', '/x'],
  ])('%s', (address, path) => {
    expect(sameOriginUrl(address, 'http://127.0.0.1:3000')).toBe('http://127.0.0.1:3000' + path)
  })
})
