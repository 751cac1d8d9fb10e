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

/** The methods that a path has. */
type Methods<Item> = {
  [Method in keyof Item as [Item[Method]] extends [undefined] ? never : Method]: Item[Method]
}

/** The methods of a path whose project is given already. */
type Bound<Item> = {
  [Method in keyof Item]: Item[Method] extends { parameters: infer Parameters }
    ? Omit<Item[Method], 'parameters'> & { parameters: BoundParameters<Parameters> }
    : Item[Method]
}
type BoundParameters<Parameters> = Omit<Parameters, 'path'> &
  (Parameters extends { path: infer Path }
    ? Exclude<keyof Path, 'projectId'> extends never
      ? { path?: never }
      : { path: Omit<Path, 'projectId'> }
    : object)

/** What is below a project: its part of /api/ui, and the public API on behalf of the signed-in user. */
type ProjectPaths = {
  [
    Path in keyof UiPaths as Path extends `/api/ui/projects/{projectId}/${infer Rest}`
      ? `/${Rest}`
      : never
  ]: Bound<Methods<UiPaths[Path]>>
} & {
  [
    Path in keyof PublicPaths as Path extends `/api/public/${infer Rest}` ? `/${Rest}` : never
  ]: Methods<PublicPaths[Path]>
}

/** Client of one project: paths begin after /api/ui/projects/{projectId} or /api/public. */
export function projectApi(projectId: string) {
  return createClient<ProjectPaths>({
    baseUrl: `${baseUrl}/api/ui/projects/${encodeURIComponent(projectId)}`,
    headers,
    fetch: (request) => globalThis.fetch(request),
  })
}

/** The address of something below a project that the browser loads by itself. */
export function projectAddress(projectId: string, path: string): string {
  return `${baseUrl}/api/ui/projects/${encodeURIComponent(projectId)}/${path}`
}

/** Streams the events that arrive in a project; lastId is the id of the last event received. */
export function projectTail(
  projectId: string,
  parameters: string,
  lastId: string,
  signal: AbortSignal,
): Promise<Response> {
  return globalThis.fetch(projectAddress(projectId, `tail?${parameters}`), {
    headers: { ...headers, ...(lastId !== '' && { 'Last-Event-ID': lastId }) },
    signal,
  })
}

/** Sends a request to a project whose answer is streamed; closing the signal stops it on the server, too. */
export function projectStream(
  projectId: string,
  path: string,
  body: object,
): (signal: AbortSignal) => Promise<Response> {
  return (signal) =>
    globalThis.fetch(projectAddress(projectId, path), {
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
