import createClient from 'openapi-fetch'
import { basePath } from '@/lib/url'
import type { paths as PublicPaths } from './generated/public'
import type { paths as UiPaths } from './generated/ui'

// A page of another origin cannot send this header without asking first, and the server never says yes.
const headers = { 'X-Almanac-CSRF': '1' }
const baseUrl = (typeof location === 'undefined' ? '' : location.origin) + basePath

/** What people do with their accounts, organizations and projects: /api/ui. */
export const ui = createClient<UiPaths>({
  baseUrl,
  headers,
  // The global fetch at the time of the call, so that tests can replace it.
  fetch: (request) => globalThis.fetch(request),
})

const publicPrefix = `${baseUrl}/api/public/`

/** The public API of one project, with the person as the one who asks: /api/public/X is at /api/ui/projects/{id}/X. */
export function projectApi(projectId: string) {
  const prefix = `${baseUrl}/api/ui/projects/${encodeURIComponent(projectId)}/`
  // The address is replaced before there is a request: a request that is made from another one streams its body, which
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

/** What arrives in a project, as an answer that goes on; lastId is the id of the last event that came. */
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
