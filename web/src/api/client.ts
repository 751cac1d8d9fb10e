import createClient, { defaultPathSerializer } from 'openapi-fetch'
import { basePath } from '@/lib/url'
import type { paths as PublicPaths } from './generated/public'
import type { paths as UiPaths } from './generated/ui'

// A page of another origin cannot send this header without asking first, and the server never says yes.
const headers = { 'X-Almanac-CSRF': '1' }
const origin = typeof location === 'undefined' ? '' : location.origin

/** Every request goes through the global fetch at the time of the call, so that tests can replace it. */
const send = (request: Request) => globalThis.fetch(request)

/** What people do with their accounts, organizations and projects: /api/ui. */
export const ui = createClient<UiPaths>({ baseUrl: origin + basePath, headers, fetch: send })

const publicPrefix = origin + basePath + '/api/public/'

/** The public API of one project, with the person as the one who asks: /api/public/X is at /api/ui/projects/{id}/X. */
export function projectApi(projectId: string) {
  const prefix = `${origin}${basePath}/api/ui/projects/${encodeURIComponent(projectId)}/`
  return createClient<PublicPaths>({
    baseUrl: origin + basePath,
    headers,
    fetch: send,
    // What comes here is the whole address, with the path's parameters still in braces.
    pathSerializer: (path, parameters) => {
      if (!path.startsWith(publicPrefix)) throw new Error(`${path} is no path of a project`)
      return defaultPathSerializer(prefix + path.slice(publicPrefix.length), parameters)
    },
  })
}
