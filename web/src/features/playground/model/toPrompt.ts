import { objectOf, paramsToSend } from './params'
import type { Item, Pane } from './state'

/** What a window becomes as a prompt version: nothing of it is lost but answers of tools, which no prompt has. */
export type PromptContent = {
  type: 'chat' | 'text'
  prompt: string | ({ role: string; content: string } | { type: 'placeholder'; name: string })[]
  config: Record<string, unknown>
  /** What a prompt cannot hold. */
  lost: string[]
}

/** A window as a prompt; a text prompt is one message without a role. */
export function toPrompt(pane: Pane, type: 'chat' | 'text' = 'chat'): PromptContent {
  const lost = new Set<string>()
  const messages = pane.items.flatMap((item) => messageOf(item, lost))
  return {
    type,
    prompt:
      type === 'chat'
        ? messages
        : messages.map((each) => ('content' in each ? each.content : '')).join('\n\n'),
    config: configOf(pane),
    lost: [...lost],
  }
}

function messageOf(
  item: Item,
  lost: Set<string>,
): ({ role: string; content: string } | { type: 'placeholder'; name: string })[] {
  switch (item.kind) {
    case 'placeholder':
      return [{ type: 'placeholder', name: item.name }]
    case 'result':
      lost.add('results of tools')
      return []
    case 'message':
      if (item.calls.length > 0) lost.add('tool calls')
      if (item.files.length > 0) lost.add('files')
      return item.text === '' ? [] : [{ role: item.role, content: item.text }]
  }
}

const wireNames = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  maxTokens: 'max_tokens',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  seed: 'seed',
  stop: 'stop',
  effort: 'reasoning_effort',
  reasoningTokens: 'reasoning_tokens',
} as const

/** The config of a prompt version, by the names that applications know. */
export function configOf(pane: Pane): Record<string, unknown> {
  const { extra, ...params } = paramsToSend(pane.params)
  const config: Record<string, unknown> = { ...extra }
  if (pane.model !== '') config.model = pane.model
  if (pane.connection !== '') config.provider = pane.connection
  for (const [name, value] of Object.entries(params))
    config[wireNames[name as keyof typeof wireNames]] = value
  if (pane.tools.length > 0) {
    config.tools = pane.tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: {
        name,
        description,
        ...(parameters.trim() !== '' && {
          parameters: objectOf(parameters, `The parameters of the tool ${name}`),
        }),
      },
    }))
    if (pane.toolChoice !== 'auto')
      config.tool_choice =
        pane.toolChoice === 'none' || pane.toolChoice === 'required'
          ? pane.toolChoice
          : { type: 'function', function: { name: pane.toolChoice } }
  }
  if (pane.schema)
    config.response_format = {
      type: 'json_schema',
      json_schema: {
        name: pane.schema.name === '' ? 'answer' : pane.schema.name,
        schema: objectOf(pane.schema.text, 'The lines of the schema'),
      },
    }
  return config
}
