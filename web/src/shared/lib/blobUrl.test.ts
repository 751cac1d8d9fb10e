import { expect, it } from 'vitest'
import { createBlobUrl, passiveTypeOf } from './blobUrl'

it.each([
  ['image/png', 'image/png'],
  ['video/x-matroska', 'video/x-matroska'],
  ['application/pdf', 'application/pdf'],
  ['image/svg+xml', 'application/octet-stream'],
  ['image/x+xml', 'application/octet-stream'],
  ['video/x+xml', 'application/octet-stream'],
  ['text/html', 'application/octet-stream'],
  ['application/xhtml+xml', 'application/octet-stream'],
  ['text/xml', 'application/octet-stream'],
  ['application/javascript', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('bytes of type %s are %s at their URL', async (type, served) => {
  expect(passiveTypeOf(type)).toBe(served)
  const url = createBlobUrl(new Blob(['<svg/>'], { type }))
  const answer = await (await fetch(url)).blob()
  URL.revokeObjectURL(url)
  expect(answer.type).toBe(served)
  expect(await answer.text()).toBe('<svg/>')
})
