import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const models = {
  connections: [
    {
      connection: 'openai',
      adapter: 'openai',
      models: ['gpt-5', 'gpt-4.1'],
      supports: {
        tools: true,
        schema: true,
        image: true,
        audio: true,
        file: true,
        reasoning: true,
      },
      ranges: { temperature: 2, topK: false, seed: true, penalties: true },
    },
  ],
  default: { connection: 'openai', model: 'gpt-4.1' },
}

const stream =
  (...events: [name: string, data: unknown][]) =>
  () =>
    new Response(
      events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
      { headers: { 'Content-Type': 'text/event-stream' } },
    )

const answers = {
  'GET /api/ui/auth/session': signedIn(
    'traces:read',
    'prompts:read',
    'prompts:write',
    'connections:read',
    'playground:run',
  ),
  'GET /api/ui/projects/p-search/llm-models': () => Response.json(models),
  'GET /api/ui/projects/p-search/v2/datasets': () =>
    Response.json({ data: [], meta: { page: 1, limit: 100, totalItems: 0, totalPages: 0 } }),
}

const prompt = {
  'GET /api/ui/projects/p-search/v2/prompts/greeting': () =>
    Response.json({
      name: 'greeting',
      version: 2,
      type: 'chat',
      prompt: [{ role: 'user', content: 'Hi there' }],
      config: { model: 'gpt-5', temperature: 0.4 },
      labels: [],
      tags: [],
    }),
}

test('those who may not run models are told which role it takes', async () => {
  renderApp('/project/p-search/playground', {
    'GET /api/ui/auth/session': signedIn('traces:read', 'prompts:read', 'connections:read'),
  })
  await screen.findByText(/call models in the playground/)
  expect(screen.queryByRole('button', { name: 'Run' })).toBeNull()
})

test('a prompt version runs with its config, and its answer is shown as text', async () => {
  const hostile = '<img src=x onerror=alert(1)> **bold**'
  const { user, sent } = renderApp('/project/p-search/playground?prompt=greeting&version=2', {
    ...answers,
    ...prompt,
    'POST /api/ui/projects/p-search/completions': stream(
      ['delta', { text: hostile }],
      ['trace', { traceId: 't1', observationId: 'o1' }],
      ['usage', { details: {}, input: 3, output: 4, total: 7 }],
      ['cost', { total: 0.002 }],
      ['done', { ms: 1200, firstTokenMs: 30, finish: 'stop', dropped: [], signatures: {} }],
    ),
  })
  const link = await screen.findByRole('link', { name: 'greeting v2' })
  expect(link.getAttribute('href')).toBe('/project/p-search/prompts/greeting?version=2')
  await user.click(screen.getByRole('button', { name: 'Run' }))
  await screen.findByText(hostile)
  expect(document.querySelector('img')).toBeNull()
  await screen.findByText(/7 tokens, \$0.002/)
  const request = sent.find(([asked]) => asked.endsWith('/completions'))
  expect(request?.[1]).toMatchObject({
    connection: 'openai',
    model: 'gpt-5',
    messages: [{ role: 'user', content: 'Hi there' }],
    params: { temperature: 0.4 },
    prompt: { name: 'greeting', version: 2 },
  })
  expect(screen.getByRole('link', { name: 'Trace' }).getAttribute('href')).toContain('/traces/t1')
})

test('a prompt with a variable named like what every object has can be opened', async () => {
  const text = 'Hi {{constructor}}'
  const { user } = renderApp('/project/p-search/playground?prompt=greeting&version=2', {
    ...answers,
    'GET /api/ui/projects/p-search/v2/prompts/greeting': () =>
      Response.json({
        name: 'greeting',
        version: 2,
        type: 'text',
        prompt: text,
        config: {},
        labels: [],
        tags: [],
      }),
  })
  await screen.findByText('greeting v2')
  await user.click(screen.getByRole('button', { name: 'Run' }))
  await screen.findByText(/The variable constructor has no value/)
})

test('a failed run says why, and a window without a message is not sent', async () => {
  const { user, sent } = renderApp('/project/p-search/playground?prompt=greeting&version=2', {
    ...answers,
    ...prompt,
    'POST /api/ui/projects/p-search/completions': stream([
      'error',
      {
        error: 'quota',
        message: 'The quota of the account is used up.',
        retryAfterMs: null,
        ms: 3,
      },
    ]),
  })
  await screen.findByText('greeting v2')
  await user.click(screen.getByRole('button', { name: 'Run' }))
  await screen.findByText('The quota of the account is used up.')
  await user.click(screen.getByRole('button', { name: 'Remove message 1' }))
  await user.click(screen.getByRole('button', { name: 'Run' }))
  await screen.findByText('Write a message first.')
  await waitFor(() =>
    expect(sent.filter(([asked]) => asked.endsWith('/completions'))).toHaveLength(1),
  )
})

test('a window that is saved as a prompt version is in the list of prompts at once', async () => {
  let versions = 2
  const { user } = renderApp('/project/p-search/prompts', {
    ...answers,
    ...prompt,
    'POST /api/ui/projects/p-search/query/prompts': () =>
      Response.json({
        folders: [],
        moreFolders: false,
        prompts: [
          {
            name: 'greeting',
            type: 'chat',
            latest: {
              version: versions,
              createdAt: '2026-11-01T00:00:00.000Z',
              createdBy: { id: 'u', name: 'Ada' },
            },
            labels: { latest: versions },
            tags: [],
          },
        ],
        cursor: null,
        total: 1,
      }),
    'POST /api/ui/projects/p-search/query/prompt-uses': () =>
      Response.json({ since: '2026-10-25T00:00:00.000Z', uses: {} }),
    'GET /api/ui/projects/p-search/prompt-labels': () =>
      Response.json({ labels: [], protected: [], tags: [] }),
    'POST /api/ui/projects/p-search/v2/prompts': () => {
      versions += 1
      return Response.json({ name: 'greeting', version: versions }, { status: 201 })
    },
  })
  await screen.findByText('v2')
  await user.click(await screen.findByRole('button', { name: 'Actions for greeting' }))
  await user.click(await screen.findByRole('menuitem', { name: /playground/ }))
  await user.click(await screen.findByRole('button', { name: 'Save as prompt' }))
  await user.click(await screen.findByRole('button', { name: 'Save version' }))
  await screen.findByText('Saved as version 3 of greeting')
  await user.click(screen.getByRole('link', { name: 'Prompts' }))
  await screen.findByText('v3')
})
