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
  return createClient<PublicPaths>({
    baseUrl,
    headers,
    fetch: (request) => {
      if (!request.url.startsWith(publicPrefix)) {
        throw new Error(`${request.url} is no address of the public API`)
      }
      return globalThis.fetch(new Request(prefix + request.url.slice(publicPrefix.length), request))
    },
  })
}
