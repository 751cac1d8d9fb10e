import createClient from 'openapi-fetch'
import { basePath } from '@/shared/lib/url'
import type { paths as PublicPaths } from './generated/public'
import type { paths as UiPaths } from './generated/ui'

// Pages of other origins cannot send this header without a CORS preflight, which the server never allows.
const headers = { 'X-Almanac-CSRF': '1' }
const baseUrl = (typeof location === 'undefined' ? '' : location.origin) + basePath

/** Client of /api/ui: accounts, organizations and projects. */
export const ui = createClient<UiPaths>({
  baseUrl,
  headers,
  // The global fetch at the time of the call, so that tests can replace it.
  fetch: (request) => globalThis.fetch(request),
})

const publicPrefix = `${baseUrl}/api/public/`

/**
 * Client of one project's public API, authenticated as the signed-in user: /api/public/X is at /api/ui/projects/{id}/X.
 */
export function projectApi(projectId: string) {
  const prefix = `${baseUrl}/api/ui/projects/${encodeURIComponent(projectId)}/`
  // The URL is replaced before the request is created: a request created from another request streams its body, which
  // browsers refuse over HTTP/1.1.
  class ProjectRequest extends Request {
    constructor(url: string, init?: RequestInit) {
      if (!url.startsWith(publicPrefix)) throw new Error(`${url} is no address of the public API`)
      super(prefix + url.slice(publicPrefix.length), init)
    }
  }
  return createClient<PublicPaths>({
    baseUrl,
    headers,
    Request: ProjectRequest as typeof Request,
    fetch: (request) => globalThis.fetch(request),
  })
}

/** Streams the events that arrive in a project; lastId is the id of the last event received. */
export function projectTail(
  projectId: string,
  parameters: string,
  lastId: string,
  signal: AbortSignal,
): Promise<Response> {
  return globalThis.fetch(
    `${baseUrl}/api/ui/projects/${encodeURIComponent(projectId)}/tail?${parameters}`,
    { headers: { ...headers, ...(lastId !== '' && { 'Last-Event-ID': lastId }) }, signal },
  )
}

/** Sends a request to a project whose answer is streamed; closing the signal stops it on the server, too. */
export function projectStream(
  projectId: string,
  path: string,
  body: object,
): (signal: AbortSignal) => Promise<Response> {
  return (signal) =>
    globalThis.fetch(`${baseUrl}/api/ui/projects/${encodeURIComponent(projectId)}/${path}`, {
      method: 'POST',
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        Accept: 'text/event-stream, application/x-ndjson',
      },
      body: JSON.stringify(body),
      signal,
    })
}
