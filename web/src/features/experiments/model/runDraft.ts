import type { Problems } from '@/shared/forms'
import { Json } from '@/shared/io'
import type { NewExperiments } from '../api/useRuns'

/** What is typed into the form that runs experiments. Numbers are NaN where nothing is set. */
export type RunDraft = {
  datasetId: string
  source: 'prompts' | 'messages'
  prompt: string
  /** The versions of the prompt. */
  prompts: string[]
  system: string
  message: string
  models: { connection: string; model: string }[]
  temperature: number
  maxTokens: number
  repetitions: number
  concurrency: number
  equal: boolean
  json: boolean
  /** A JSON Schema that outputs have to match; empty for none. */
  checks: string
  name: string
}

/** The server's limits. */
export const most = { prompts: 10, models: 10, experiments: 20, repetitions: 20, concurrency: 16 }

export function newRunDraft(
  datasetId: string,
  model: { connection: string; model: string } | null,
): RunDraft {
  return {
    datasetId,
    source: 'prompts',
    prompt: '',
    prompts: [],
    system: '',
    message: '{{input}}',
    models: [model ?? { connection: '', model: '' }],
    temperature: NaN,
    maxTokens: NaN,
    repetitions: 1,
    concurrency: 4,
    equal: true,
    json: false,
    checks: '',
    name: '',
  }
}

export function runProblems(draft: RunDraft): Problems<RunDraft> {
  const problems: Problems<RunDraft> = {}
  if (draft.datasetId === '') problems.datasetId = 'Choose a dataset'
  if (draft.source === 'prompts') {
    if (draft.prompt.trim() === '') problems.prompt = 'Choose a prompt'
    else if (draft.prompts.length === 0) problems.prompts = 'Choose at least one version'
    else if (draft.prompts.length > most.prompts)
      problems.prompts = `Choose at most ${most.prompts} versions`
  } else if (draft.message.trim() === '') problems.message = 'Write a message'
  if (draft.models.length === 0) problems.models = 'Choose at least one model'
  draft.models.forEach(({ connection, model }, at) => {
    if (connection === '') problems[`models.${at}.connection`] = 'Choose a connection'
    if (model.trim() === '') problems[`models.${at}.model`] = 'Choose a model'
  })
  if (experimentsIn(draft) > most.experiments)
    problems.models = `These are ${experimentsIn(draft)} experiments, one for each version and model; at most ${most.experiments} start at once`
  if (draft.checks.trim() !== '' && Json.parse(draft.checks)?.isObject !== true)
    problems.checks = 'A JSON Schema is a JSON object'
  return problems
}

/** How many experiments are started: one for each version and model. */
export function experimentsIn(draft: RunDraft): number {
  return (draft.source === 'prompts' ? draft.prompts.length : 1) * draft.models.length
}

/** What the server is asked to run. The draft has no problems. */
export function runBody(draft: RunDraft): NewExperiments {
  const { temperature, maxTokens } = draft
  return {
    datasetId: draft.datasetId,
    ...(draft.name.trim() !== '' && { name: draft.name.trim() }),
    ...(draft.source === 'prompts'
      ? {
          prompts: draft.prompts.map((version) => ({
            name: draft.prompt.trim(),
            version: Number(version),
          })),
        }
      : {
          messages: [
            ...(draft.system.trim() === ''
              ? []
              : [{ role: 'system' as const, content: draft.system }]),
            { role: 'user' as const, content: draft.message },
          ],
        }),
    models: draft.models.map(({ connection, model }) => ({ connection, model: model.trim() })),
    params: {
      ...(Number.isFinite(temperature) && { temperature }),
      ...(Number.isFinite(maxTokens) && { maxTokens }),
    },
    repetitions: draft.repetitions,
    concurrency: draft.concurrency,
    checks: {
      equal: draft.equal,
      json: draft.json,
      ...(draft.checks.trim() !== '' && { schema: schemaOf(draft.checks) }),
    },
  }
}

function schemaOf(text: string): Record<string, unknown> {
  return JSON.parse(text)
}
