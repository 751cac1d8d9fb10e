import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import type { MediaPart } from '../messages/types'
import { MediaLinks } from './MediaLinks'
import { MediaView } from './MediaView'

const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

const answer = {
  mediaId: 'abc',
  contentType: 'image/png',
  contentLength: 1234,
  uploadedAt: '2026-01-01T00:00:00Z',
  url: 'https://elsewhere.example/api/public/media/abc/content?signature=s',
  urlExpiry: '2026-01-01T01:00:00Z',
}

function show(part: MediaPart, type = 'image/png') {
  // The file itself is fetched by its URL, everything else by requests.
  const fetched = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation((asked) =>
      Promise.resolve(
        typeof asked === 'string'
          ? new Response(drawing)
          : Response.json({ ...answer, contentType: type }),
      ),
    )
  const view = render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <MediaLinks projectId="p/1">
        <MediaView part={part} />
      </MediaLinks>
    </QueryClientProvider>,
  )
  return { ...view, fetched }
}

it('shows a file of ours from our own origin', async () => {
  const { fetched } = show({
    kind: 'image',
    source: { kind: 'stored', id: 'abc', type: 'image/png' },
  })
  const image = await screen.findByRole('img', { name: 'image/png' })
  expect(image.getAttribute('src')).toBe(
    `${location.origin}/api/public/media/abc/content?signature=s`,
  )
  const [request] = fetched.mock.calls[0] ?? []
  expect((request as Request).url).toContain('/api/ui/projects/p%2F1/media/abc')
  expect(screen.getByText(/1\.2 KB/)).toBeTruthy()
})

it('asks nothing of other hosts', () => {
  const { fetched, container } = show({
    kind: 'image',
    source: { kind: 'url', url: 'https://pictures.example/sky.png' },
  })
  expect(container.querySelector('img')).toBeNull()
  expect(fetched).not.toHaveBeenCalled()
  const link = screen.getByRole('link', { name: 'Open at pictures.example' })
  expect(link.getAttribute('rel')).toBe('noopener noreferrer')
})

it('links only to web pages', () => {
  const { container } = show({ kind: 'file', source: { kind: 'url', url: 'gs://bucket/file.pdf' } })
  expect(container.querySelector('a')).toBeNull()
  expect(screen.getByText('gs://bucket/file.pdf')).toBeTruthy()
})

it('shows a large file in the text only when it is asked for', async () => {
  const uri = `data:image/png;base64,${'A'.repeat(1_000_000)}`
  const { container } = show({ kind: 'image', source: { kind: 'data', uri } })
  expect(container.querySelector('img')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Show image (image/png, 750 KB)' }))
  expect(container.querySelector('img')?.src).toMatch(/^blob:/)
})

it('says when a file in the text cannot be read', () => {
  show({ kind: 'audio', source: { kind: 'data', uri: 'data:audio/wav;base64,***' } })
  expect(screen.getByText('cannot be read')).toBeTruthy()
})

it.each([
  ['base64', `data:image/svg+xml;base64,${btoa(drawing)}`],
  ['percent-encoded', `data:IMAGE/SVG+XML;charset=utf-8,${encodeURIComponent(drawing)}`],
])('shows an SVG picture in the text from a data URI, never from a blob: %s', async (_, uri) => {
  show({ kind: 'image', source: { kind: 'data', uri } })
  const image = await screen.findByRole('img')
  expect(image.getAttribute('src')).toBe(`data:image/svg+xml;base64,${btoa(drawing)}`)
  expect(screen.getByRole('link', { name: 'Download' }).getAttribute('href')).toMatch(/^blob:/)
})

it('shows a stored SVG picture from a data URI', async () => {
  show(
    { kind: 'image', source: { kind: 'stored', id: 'abc', type: 'image/svg+xml' } },
    'image/svg+xml',
  )
  const image = await screen.findByRole('img')
  expect(image.getAttribute('src')).toBe(`data:image/svg+xml;base64,${btoa(drawing)}`)
})
