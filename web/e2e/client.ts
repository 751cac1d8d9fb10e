import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import type { Cookie } from '@playwright/test'
import { program, type Server } from './server'

/** The first owner of a server after setup. */
export const owner = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  password: 'correct horse battery',
}

/** A server after setup, and the browser session of its owner. */
export type Ready = Server & { project: string; organization: string; cookies: Cookie[] }

type Session = { organizations: { id: string; projects: { id: string }[] }[] }

/** Creates the first owner without a browser; the setup page has its own tests. */
export async function setUpServer(server: Server): Promise<Ready> {
  const token = new URL(server.setUpAddress).searchParams.get('token')
  const answer = await request({ url: server.url, cookies: [] }, 'POST', '/api/ui/auth/setup', {
    token,
    ...owner,
  })
  const cookies = answer.headers.getSetCookie().map((cookie) => {
    const [name = '', value = ''] = cookie.split(';', 1)[0]?.split('=') ?? []
    return {
      name,
      value,
      domain: '127.0.0.1',
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Lax' as const,
    }
  })
  const { organizations } = await ask<Session>(
    { url: server.url, cookies },
    'GET',
    '/api/ui/auth/session',
  )
  const [organization] = organizations
  const [project] = organization?.projects ?? []
  if (!organization || !project) throw new Error('the set-up made no project')
  return { ...server, cookies, organization: organization.id, project: project.id }
}

/** The same server with a separate project and an API key for it. */
export async function newProject(server: Ready, name: string): Promise<Ready> {
  const { id } = await ask<{ id: string }>(
    server,
    'POST',
    `/api/ui/organizations/${server.organization}/projects`,
    { name },
  )
  const key = await ask<{ publicKey: string; secretKey: string }>(
    server,
    'POST',
    `/api/ui/projects/${id}/apiKeys`,
    {},
  )
  return { ...server, project: id, publicKey: key.publicKey, secretKey: key.secretKey }
}

/** Sends a request as the owner, without a browser. */
export async function ask<T = unknown>(
  server: Pick<Ready, 'url' | 'cookies'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const text = await (await request(server, method, path, body)).text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

async function request(
  server: Pick<Ready, 'url' | 'cookies'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const answer = await fetch(server.url + path, {
    method,
    headers: {
      Cookie: server.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      Origin: server.url,
      'X-Almanac-CSRF': '1',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (!answer.ok)
    throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
  return answer
}

type Sender = Pick<Server, 'url' | 'publicKey' | 'secretKey' | 'at'>

/** The headers of a request with the project's API key. */
export function asProgram({ publicKey, secretKey }: Pick<Sender, 'publicKey' | 'secretKey'>) {
  return {
    'Content-Type': 'application/json',
    Authorization: `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`,
  }
}

/** Sends spans as OTLP, like an application. */
export async function sendSpans(to: Sender, spans: readonly object[]) {
  const answer = await fetch(`${to.url}/api/public/otel/v1/traces`, {
    method: 'POST',
    headers: asProgram(to),
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  })
  if (!answer.ok) throw new Error(`spans were answered ${answer.status}: ${await answer.text()}`)
}

/** Span attributes in OTLP form. */
export function attributesOf(attributes: Record<string, string | number>) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: value } : { stringValue: value },
  }))
}

/** A span as applications send it. */
export type Span = { traceId: string; name: string; attributes?: Record<string, string | number> }

/** Sends a trace of one span. */
export async function sendTrace(to: Sender, { traceId, name, attributes = {} }: Span) {
  const now = to.at ?? Date.now()
  await sendSpans(to, [
    {
      traceId,
      spanId: traceId.slice(0, 16),
      name,
      startTimeUnixNano: `${now - 1234}000000`,
      endTimeUnixNano: `${now}000000`,
      attributes: attributesOf(attributes),
    },
  ])
}

/** Uploads a file of a trace as clients do, and returns the reference that represents it in texts. */
export async function sendFile(
  to: Sender,
  { traceId, type, content }: { traceId: string; type: string; content: Buffer },
): Promise<string> {
  const sha256Hash = createHash('sha256').update(content).digest('base64')
  const announced = await fetch(`${to.url}/api/public/media`, {
    method: 'POST',
    headers: asProgram(to),
    body: JSON.stringify({
      traceId,
      field: 'input',
      contentType: type,
      contentLength: content.length,
      sha256Hash,
    }),
  })
  const { mediaId, uploadUrl } = (await announced.json()) as { mediaId: string; uploadUrl: string }
  const headers = { 'Content-Type': type, 'x-amz-checksum-sha256': sha256Hash }
  const { status } = await fetch(uploadUrl, {
    method: 'PUT',
    headers,
    body: new Uint8Array(content),
  })
  await fetch(`${to.url}/api/public/media/${mediaId}`, {
    method: 'PATCH',
    headers: asProgram(to),
    body: JSON.stringify({ uploadedAt: new Date().toISOString(), uploadHttpStatus: status }),
  })
  return `@@@langfuseMedia:type=${type}|id=${mediaId}|source=bytes@@@`
}

/** The signed URL of a file that `sendFile` returned a reference to. */
export async function fileAddress(to: Sender, reference: string): Promise<string> {
  const id = /id=([^|]+)/.exec(reference)?.[1]
  const answer = await fetch(`${to.url}/api/public/media/${id}`, { headers: asProgram(to) })
  return ((await answer.json()) as { url: string }).url
}

/** Sends the demo traces: the same in every run, except for the times. */
export function sendDemo(to: Sender) {
  execFileSync(program, [
    'demo',
    `--url=${to.url}`,
    `--public-key=${to.publicKey}`,
    `--secret-key=${to.secretKey}`,
    '--traces=200',
    '--days=2',
    '--seed=7',
    ...(to.at === undefined ? [] : [`--end=${new Date(to.at).toISOString()}`]),
  ])
}
