import { ask, asProgram, type Ready, sendTrace } from './client'

/** An organization with a project that contains something of every kind. */
export type Examples = {
  organization: string
  project: string
  model: string
  dataset: string
  queue: string
  /** Links that are still valid, to accept an invitation and to reset a password. */
  invitation: string
  reset: string
  /** Paths below the project for stored objects that have no page yet. */
  stored: Record<string, string>
}

const traceId = 'e5'.repeat(16)

/** Fills a separate organization. `named` turns plain words into a name, a note or a description. */
export async function fill(server: Ready, named: (words: string) => string): Promise<Examples> {
  const post = <T = { id: string }>(path: string, body: unknown, method = 'POST') =>
    ask<T>(server, method, path, body)
  const organization = await post('/api/ui/organizations', { name: named('Acme Travel') })
  const ours = `/api/ui/organizations/${organization.id}`
  // The server does not accept markup in project names.
  const project = await post(`${ours}/projects`, { name: 'Travel agent' })
  await post(`${ours}/projects`, { name: 'Checkout' })
  const base = `/api/ui/projects/${project.id}`

  const key = await post<{ publicKey: string; secretKey: string }>(`${base}/apiKeys`, {
    note: named('Production of the travel agent'),
  })
  await post(`${base}/apiKeys`, {
    note: named('Reads prompts'),
    permissions: ['prompts:read'],
    expiresAt: new Date((server.at ?? Date.now()) + 90 * 86_400_000).toISOString(),
  })
  await post(`${ours}/apiKeys`, { note: named('SCIM of the identity provider') })

  const invite = (email: string, role: string) =>
    post<{ link: string }>(`${ours}/invitations`, { email, role })
  const tag = organization.id.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  for (const [name, role] of [
    ['Grace Hopper', 'ADMIN'],
    ['Katherine Johnson', 'VIEWER'],
  ] as const) {
    const { link } = await invite(`${name.split(' ')[0]}.${tag}@example.com`.toLowerCase(), role)
    const token = new URL(link).pathname.split('/').at(-1)
    await ask({ url: server.url, cookies: [] }, 'POST', `/api/ui/invitations/${token}/accept`, {
      name: named(name),
      password: 'nanoseconds matter',
    })
  }
  const invitation = await invite(`dorothy.${tag}@example.com`, 'MEMBER')
  const { members } = await ask<{ members: { userId: string; role: string }[] }>(
    server,
    'GET',
    `${ours}/members`,
  )
  const viewer = members.find((member) => member.role === 'VIEWER')?.userId
  await post(`${base}/members/${viewer}`, { role: 'MEMBER' }, 'PUT')
  const reset = await post<{ link: string }>(`${ours}/members/${viewer}/reset-link`, {})

  for (const [index, model] of ['gpt-4o', 'our-own-model', 'claude-sonnet-4-5'].entries())
    await sendTrace(
      { url: server.url, at: server.at, ...key },
      {
        traceId: index === 0 ? traceId : `${index}${index}`.repeat(16),
        name: named('plan the trip'),
        attributes: {
          'langfuse.observation.type': 'generation',
          'gen_ai.request.model': model,
          'gen_ai.usage.input_tokens': 1200 + index,
          'gen_ai.usage.output_tokens': 345,
          'langfuse.trace.name': named('plan the trip'),
          'user.id': named('ada'),
          'session.id': named('monday'),
        },
      },
    )

  const tiers = [
    { name: named('Standard'), isDefault: true, priority: 0, conditions: [], prices: prices(1) },
    {
      name: named('Long context'),
      isDefault: false,
      priority: 1,
      conditions: [{ usageDetailPattern: '^input', operator: 'gt', value: 200_000 }],
      prices: prices(2),
    },
  ]
  const model = await post(`${base}/models`, {
    modelName: named('house-model'),
    matchPattern: '(?i)^house-model(-v\\d+)?$',
    unit: 'TOKENS',
    pricingTiers: tiers,
  })
  await post(
    `${base}/llm-connections`,
    {
      provider: named('openai-production'),
      adapter: 'openai',
      secretKey: 'sk-0123456789abcdef',
      customModels: [named('house-model')],
    },
    'PUT',
  )
  const config = await post(`${base}/score-configs`, {
    name: 'helpful', // letters only, as the server wants it
    dataType: 'CATEGORICAL',
    description: named('Did the answer help?'),
    categories: [
      { value: 0, label: named('no') },
      { value: 1, label: named('yes') },
    ],
  })
  await post(`${base}/score-configs`, {
    name: 'latency',
    dataType: 'NUMERIC',
    minValue: 0,
    maxValue: 10,
  })
  await post(`${base}/v2/prompts`, {
    name: 'greeting', // no markup here, either
    type: 'text',
    prompt: named('Hello {{name}}'),
    labels: ['production'],
    commitMessage: named('The first one'),
  })
  await post(`${base}/v2/prompts`, {
    name: 'greeting',
    type: 'text',
    prompt: named('Good day, {{name}}. What can we do for you?'),
    labels: ['staging'],
    tags: [named('support')],
    config: { model: 'gpt-4o', temperature: 0.2, note: named('agreed on Monday') },
    commitMessage: named('More formal'),
  })
  const dataset = await post(`${base}/v2/datasets`, {
    name: 'trips',
    description: named('Trips that went wrong'),
  })
  const item = await post(`${base}/dataset-items`, {
    datasetName: 'trips',
    input: { where: named('Rome') },
    expectedOutput: named('A plan'),
  })
  const queue = await post(`${base}/annotation-queues`, {
    name: named('Mondays'),
    description: named('Look at these first'),
    scoreConfigIds: [config.id],
  })
  await post(`${base}/annotation-queues/${queue.id}/items`, {
    objectType: 'TRACE',
    objectId: traceId,
  })
  const dashboard = await post(`${base}/unstable/dashboards`, {
    name: named('Costs'),
    description: named('Of all models'),
  })
  await post(base, { retentionDays: 90 }, 'PATCH')
  await mentionOwner(server, { ...key, project: project.id }, named)
  const enc = encodeURIComponent
  return {
    organization: organization.id,
    project: project.id,
    model: model.id,
    dataset: dataset.id,
    queue: queue.id,
    invitation: invitation.link,
    reset: reset.link,
    stored: {
      traces: 'traces',
      trace: `traces/${traceId}`,
      sessions: 'sessions',
      session: `sessions/${enc(named('monday'))}`,
      users: 'users',
      user: `users/${enc(named('ada'))}`,
      scores: 'scores',
      prompts: 'prompts',
      prompt: `prompts/greeting`,
      datasets: 'datasets',
      dataset: `datasets/${enc(dataset.id)}/items`,
      'dataset-item': `datasets/${enc(dataset.id)}/items/${enc(item.id)}`,
      queues: 'annotation-queues',
      queue: `annotation-queues/${enc(queue.id)}`,
      dashboards: 'dashboards',
      dashboard: `dashboards/${enc(dashboard.id)}`,
    },
  }
}

/** Mentions the owner in a comment, which they have read already, so that their bell shows nothing. */
async function mentionOwner(
  server: Ready,
  key: { publicKey: string; secretKey: string; project: string },
  named: (words: string) => string,
) {
  type Session = { user: { id: string; name: string } }
  const { user } = await ask<Session>(server, 'GET', '/api/ui/auth/session')
  const answer = await fetch(`${server.url}/api/public/comments`, {
    method: 'POST',
    headers: asProgram(key),
    body: JSON.stringify({
      projectId: key.project,
      objectType: 'SESSION',
      objectId: named('monday'),
      content: `@[${user.name}](user:${user.id}) ${named('is this what was asked for?')}`,
    }),
  })
  if (!answer.ok) throw new Error(`the comment was answered ${answer.status}`)
  const { data } = await ask<{ data: { id: string }[] }>(server, 'GET', '/api/ui/inbox')
  await ask(server, 'POST', '/api/ui/inbox/read', { upTo: data[0]?.id })
}

function prices(factor: number) {
  return { input: 2.5e-6 * factor, output: 1e-5 * factor, input_cached_tokens: 1.25e-6 * factor }
}

/** The pages of organizations, projects and accounts, by the names of their pictures. */
export function pagesOf({
  organization,
  project,
  model,
  dataset,
  queue,
}: Examples): Record<string, string> {
  const ours = `/organization/${organization}`
  const base = `/project/${project}`
  return {
    home: base,
    organizations: '/',
    organization: ours,
    'organization-settings': `${ours}/settings`,
    'organization-members': `${ours}/settings/members`,
    'organization-invitations': `${ours}/settings/invitations`,
    'organization-projects': `${ours}/settings/projects`,
    'organization-keys': `${ours}/settings/api-keys`,
    'organization-audit': `${ours}/settings/audit-logs`,
    'organization-sso': `${ours}/settings/sso`,
    'project-settings': `${base}/settings`,
    'project-keys': `${base}/settings/api-keys`,
    'project-members': `${base}/settings/members`,
    'project-prompt': `${base}/prompts/greeting`,
    'project-prompt-difference': `${base}/prompts/greeting?version=2&diff=1`,
    'project-prompt-use': `${base}/prompts/greeting?tab=use-prompt&label=production`,
    'project-models': `${base}/settings/models`,
    'project-model': `${base}/settings/models/${model}`,
    'project-model-new': `${base}/settings/models/new`,
    'project-connections': `${base}/settings/llm-connections`,
    'project-connection-new': `${base}/settings/llm-connections/new`,
    'project-scores': `${base}/settings/scores`,
    'project-blob-storage': `${base}/settings/integrations/blobstorage`,
    'project-exports': `${base}/settings/exports`,
    'project-jobs': `${base}/settings/jobs`,
    'project-audit': `${base}/settings/audit-logs`,
    prompts: `${base}/prompts`,
    'prompt-new': `${base}/prompts/new`,
    'prompt-version': `${base}/prompts/new?name=greeting`,
    skills: `${base}/skills`,
    'project-protected-labels': `${base}/settings/protected-prompt-labels`,
    datasets: `${base}/datasets`,
    dataset: `${base}/datasets/${dataset}/items`,
    experiments: `${base}/experiments`,
    annotation: `${base}/annotation-queues`,
    'annotation-queue': `${base}/annotation-queues/${queue}`,
    sessions: `${base}/sessions`,
    users: `${base}/users`,
    scores: `${base}/scores`,
    analytics: `${base}/scores/analytics`,
    account: '/account/settings',
    inbox: '/account/inbox',
  }
}
