import { readConversationText } from '@/shared/io'
import type { UiComponents } from '@/shared/api'
import { variableNames } from '@/shared/editor'
import { fromConversation } from './fromConversation'
import { objectOf, paramsToSend } from './params'
import type { Item, Pane, State } from './state'
import { filled, textsOf, valueOf } from './variables'

export type RunRequest = UiComponents['schemas']['ModelRun']
type RunMessage = RunRequest['messages'][number]

/** What is sent for a window. The error says what is missing, in a sentence for people. */
export function requestOf(
  pane: Pane,
  state: Pick<State, 'placeholders'>,
  values: Record<string, string>,
): RunRequest {
  if (pane.connection === '' || pane.model.trim() === '') throw new Error('Choose a model first.')
  const used = [...new Set(pane.items.flatMap(textsOf).flatMap(variableNames))]
  const missing = used.filter((name) => valueOf(values, name) === '')
  if (missing.length > 0)
    throw new Error(
      `${missing.length === 1 ? 'The variable' : 'The variables'} ${missing.join(', ')} ${
        missing.length === 1 ? 'has' : 'have'
      } no value.`,
    )
  const messages = expanded(pane.items, state.placeholders).flatMap((item) => toSend(item, values))
  if (messages.length === 0) throw new Error('Write a message first.')
  const tools = pane.tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    ...(tool.parameters.trim() !== '' && {
      parameters: objectOf(tool.parameters, `The parameters of the tool ${tool.name}`),
    }),
  }))
  return {
    connection: pane.connection,
    model: pane.model.trim(),
    messages,
    params: paramsToSend(pane.params),
    ...(tools.length > 0 && { tools, toolChoice: choiceOf(pane) }),
    ...(pane.schema && {
      responseSchema: {
        ...(pane.schema.name !== '' && { name: pane.schema.name }),
        schema: objectOf(pane.schema.text, 'The lines of the schema'),
      },
    }),
    ...(pane.prompt && { prompt: pane.prompt }),
    ...(used.length > 0 && {
      variables: Object.fromEntries(used.map((name) => [name, valueOf(values, name)])),
    }),
    ...(pane.original && { source: pane.original.observationId }),
  }
}

function choiceOf(pane: Pane): RunRequest['toolChoice'] {
  const { toolChoice } = pane
  return toolChoice === 'auto' || toolChoice === 'none' || toolChoice === 'required'
    ? { mode: toolChoice }
    : pane.tools.some(({ name }) => name === toolChoice)
      ? { mode: 'tool', name: toolChoice }
      : { mode: 'auto' }
}

/** The items with the messages of their placeholders. */
function expanded(items: readonly Item[], placeholders: Record<string, string>): Item[] {
  return items.flatMap((item) => {
    if (item.kind !== 'placeholder') return [item]
    const text = valueOf(placeholders, item.name)
    const conversation = text.trim() === '' ? undefined : readConversationText(text)
    if (text.trim() === '[]') return []
    if (!conversation)
      throw new Error(`The placeholder ${item.name} needs a JSON list of messages.`)
    return fromConversation(conversation).items
  })
}

function toSend(item: Item, values: Record<string, string>): RunMessage[] {
  switch (item.kind) {
    case 'placeholder':
      return []
    case 'result':
      return [{ role: 'tool', content: filled(item.text, values), toolCallId: item.callId }]
    case 'message': {
      const text = filled(item.text, values)
      const calls = item.calls.map((call) => ({
        ...call,
        arguments: filled(call.arguments, values),
      }))
      // An empty message says nothing, and some providers refuse it.
      if (text === '' && item.files.length === 0 && calls.length === 0) return []
      const files = item.files.map(({ kind, mediaId, url, name }) => ({
        type: kind,
        ...(mediaId !== undefined ? { mediaId } : { url }),
        ...(name !== undefined && { name }),
      }))
      return [
        {
          role: item.role,
          content:
            files.length === 0
              ? text
              : [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...files],
          ...(calls.length > 0 && { toolCalls: calls }),
        },
      ]
    }
  }
}
