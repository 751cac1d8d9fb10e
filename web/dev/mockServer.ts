import type { IncomingMessage } from 'node:http'
import type { Plugin } from 'vite'

/**
 * Answers what the pages ask, from memory, for work on pages without a server: ALMANAC_DEV_SERVER=mock npm run dev. No part
 * of the product. The password is "almanac-mock"; the first trace of a new project comes after ten seconds.
 */
export function mockServer(): Plugin {
  const state = {
    signedIn: false,
    setupNeeded: process.env.ALMANAC_MOCK === 'setup',
    started: Date.now(),
  }
  const projects = [
    {
      id: 'p1',
      name: 'production',
      organizationId: 'o1',
      role: 'OWNER',
      permissions,
      retentionDays: 90,
    },
    {
      id: 'p2',
      name: 'playground',
      organizationId: 'o1',
      role: 'OWNER',
      permissions,
      retentionDays: 0,
    },
  ]
  const session = () => ({
    user: state.signedIn
      ? { id: 'u1', email: 'ada@example.com', name: 'Ada Lovelace', hasPassword: true }
      : null,
    setupNeeded: state.setupNeeded,
    passwordSignIn: true,
    providers: process.env.ALMANAC_MOCK === 'setup' ? [] : [{ id: 'okta', name: 'Okta' }],
    organizations: state.signedIn
      ? [{ id: 'o1', name: 'Acme', role: 'OWNER', permissions, projects }]
      : [],
    mayCreateOrganizations: true,
    version: 'mock',
  })
  const observation = (index: number) => ({
    id: `obs${index}`,
    traceId: `trace${index}`,
    projectId: 'p1',
    type: ['GENERATION', 'AGENT', 'TOOL', 'SPAN'][index % 4],
    name: ['answer', 'plan the trip', 'search', 'http request'][index % 4],
    traceName: null,
    startTime: new Date(Date.now() - index * 700_000).toISOString(),
    level: index % 5 === 3 ? 'ERROR' : 'DEFAULT',
    latency: 0.2 + index * 0.7,
    usageDetails: { total: 1200 + index * 345 },
    totalCost: 0.0012 * index,
    userId: `user-${index % 3}`,
    sessionId: `session-${index % 4}`,
    environment: 'production',
  })
  const answer = (
    method: string,
    path: string,
    body: Record<string, unknown>,
  ): [number, unknown] => {
    if (path === '/auth/session') return [200, session()]
    if (path === '/auth/sign-in') {
      if (body.password !== 'almanac-mock')
        return [401, { error: 'unauthorized', message: 'E-mail or password is wrong.' }]
      state.signedIn = true
      return [200, session()]
    }
    if (path === '/auth/setup') {
      state.signedIn = true
      state.setupNeeded = false
      const keys = { publicKey: 'pk-lf-mock', secretKey: 'sk-lf-mock' }
      return [201, { session: session(), projectId: 'p2', keys }]
    }
    if (path === '/auth/sign-out') {
      state.signedIn = false
      return [204, null]
    }
    if (path === '/auth/forgot-password') return [202, null]
    if (path === '/auth/reset-password') return [204, null]
    if (path.startsWith('/invitations/')) {
      if (method === 'POST') {
        state.signedIn = true
        return [200, session()]
      }
      const organization = { id: 'o1', name: 'Acme' }
      return [
        200,
        {
          email: 'grace@example.com',
          organization,
          role: 'MEMBER',
          invitedBy: 'Ada Lovelace',
          accountExists: false,
        },
      ]
    }
    if (!state.signedIn) return [401, { error: 'unauthorized', message: 'Sign in first.' }]
    if (path.endsWith('/v2/observations')) {
      const waits = path.includes('/p2/') && Date.now() - state.started < 60_000
      return [
        200,
        {
          data: waits ? [] : Array.from({ length: 12 }, (_, index) => observation(index)),
          meta: {},
        },
      ]
    }
    if (path.endsWith('/v2/metrics'))
      return [200, { data: [{ environment: 'production' }, { environment: 'staging' }] }]
    if (path.endsWith('/apiKeys') && method === 'POST') {
      return [
        201,
        {
          id: 'k1',
          createdAt: new Date().toISOString(),
          expiresAt: null,
          note: null,
          publicKey: 'pk-lf-new',
          secretKey: 'sk-lf-new',
          displaySecretKey: 'sk-lf-…new',
        },
      ]
    }
    if (path.endsWith('/projects') && method === 'POST') {
      const project = {
        id: `p${projects.length + 1}`,
        name: String(body.name),
        organizationId: 'o1',
        role: 'OWNER',
        permissions,
        retentionDays: 0,
      }
      projects.push(project)
      return [201, project]
    }
    return [404, { error: 'not_found', message: `The mock does not know ${method} ${path}.` }]
  }
  return {
    name: 'mock-server',
    configureServer(server) {
      server.middlewares.use('/api/ui', (request, response) => {
        void readJson(request).then((body) => {
          const path = (request.url ?? '').split('?')[0] ?? ''
          const [status, value] = answer(request.method ?? 'GET', path, body)
          response.statusCode = status
          response.setHeader('Content-Type', 'application/json')
          response.end(value === null ? '' : JSON.stringify(value))
        })
      })
    },
  }
}

const permissions = ['keys:write', 'projects:create']

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text === '' ? {} : JSON.parse(text)
}
