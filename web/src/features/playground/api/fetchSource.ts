import { projectApi, unwrap } from '@/shared/api'
import { readConversationText, readToolsText } from '@/shared/io'
import { fromConversation, toolOf } from '../model/fromConversation'
import { itemsOfPrompt, settingsOf, solvePrompt } from '../model/fromPrompt'
import { emptyMessage, emptyPane, type Item, type Pane, type State } from '../model/state'

/** What a playground is opened with: a window, its variables, and what is to be known about it. */
export type Source = Pick<State, 'variables' | 'placeholders'> & { pane: Pane; notes: string[] }

function fetchPrompt(projectId: string, name: string, version: number, signal: AbortSignal) {
  return unwrap(
    projectApi(projectId).GET('/v2/prompts/{promptName}', {
      params: { path: { promptName: name }, query: { version } },
      signal,
    }),
  )
}

/** A window with a prompt version: its messages, and what its config says about the model. */
export async function sourceOfPrompt(
  projectId: string,
  name: string,
  version: number,
  signal: AbortSignal,
): Promise<Source> {
  const prompt = await fetchPrompt(projectId, name, version, signal)
  const settings = settingsOf(prompt.config)
  const pane: Pane = {
    ...emptyPane(),
    ...settings,
    items: itemsOfPrompt(prompt.prompt),
    prompt: { name: prompt.name, version: prompt.version },
  }
  return { pane, variables: {}, placeholders: {}, notes: [] }
}

/** A window with exactly what a generation was sent. */
export async function sourceOfObservation(
  projectId: string,
  observationId: string,
  traceId: string | undefined,
  signal: AbortSignal,
): Promise<Source> {
  const api = projectApi(projectId)
  const params = { path: { observationId }, query: { traceId } }
  const detail = await unwrap(api.GET('/observations/{observationId}/detail', { params, signal }))
  const whole = async (field: keyof typeof detail.texts): Promise<string> => {
    if (!Object.hasOwn(detail.cut, field)) return detail.texts[field] ?? ''
    return unwrap(
      api.GET('/observations/{observationId}/io/{field}', {
        params: { path: { observationId, field }, query: { traceId: detail.traceId } },
        parseAs: 'text',
        signal,
      }),
    )
  }
  const [input, output, metadata, parameters, toolsText] = await Promise.all(
    (['input', 'output', 'metadata', 'modelParameters', 'toolDefinitions'] as const).map(whole),
  )
  const notes: string[] = []
  const conversation = readConversationText(input ?? '')
  const taken = conversation
    ? fromConversation(conversation)
    : { items: [emptyMessage('user', input ?? '')] as Item[], tools: [], lost: [] }
  if (!conversation && (input ?? '') !== '')
    notes.push('The input is no conversation that is known, so it is one message.')
  if (taken.lost.length > 0) notes.push(`Left out: ${taken.lost.join(', ')}.`)
  const recorded = settingsOf({
    ...parsed(metadata),
    ...requestIn(input),
    ...parsed(parameters),
  })
  // Of metadata and of the request, only the schema and the choice of a tool are parameters.
  const { params: recordedParams } = settingsOf(parsed(parameters))
  const toolsOfRow = readToolsText(toolsText ?? '').map(toolOf)
  const pane: Pane = {
    ...emptyPane(),
    model: detail.model ?? '',
    params: recordedParams,
    toolChoice: recorded.toolChoice,
    schema: recorded.schema,
    items: taken.items,
    tools: taken.tools.length > 0 ? taken.tools : toolsOfRow,
    connection: connectionIn(metadata),
    original: {
      traceId: detail.traceId,
      observationId: detail.id,
      text: answerIn(output ?? ''),
      level: detail.level,
      statusMessage: detail.statusMessage ?? '',
      ...(detail.latency !== null && { ms: detail.latency * 1000 }),
      ...(detail.totalCost !== null && { cost: detail.totalCost }),
      ...(detail.usage.total !== null && { totalTokens: detail.usage.total }),
    },
  }
  const source: Source = { pane, variables: {}, placeholders: {}, notes }
  if (detail.promptName === null || detail.promptVersion === null) return source
  return withTemplate(
    projectId,
    source,
    { name: detail.promptName, version: detail.promptVersion },
    signal,
  )
}

/** The template instead of what it became, if its values can be told from the messages. */
async function withTemplate(
  projectId: string,
  source: Source,
  link: { name: string; version: number },
  signal: AbortSignal,
): Promise<Source> {
  const { pane, notes } = source
  let prompt
  try {
    prompt = await fetchPrompt(projectId, link.name, link.version, signal)
  } catch (error) {
    if (signal.aborted) throw error
    const note = `Version ${link.version} of the prompt ${link.name} cannot be read any more.`
    return { ...source, notes: [...notes, note] }
  }
  const solved = solvePrompt(link, itemsOfPrompt(prompt.prompt), pane.items)
  if (solved.kind === 'unsolved')
    return { ...source, pane: { ...pane, prompt: link }, notes: [...notes, solved.reason] }
  return {
    pane: { ...pane, items: solved.items, prompt: link },
    variables: solved.variables,
    placeholders: Object.fromEntries(
      Object.entries(solved.placeholders).map(([name, items]) => [name, placeholderText(items)]),
    ),
    notes,
  }
}

/** The messages of a placeholder, as they are written into its field. */
function placeholderText(items: readonly Item[]): string {
  const messages = items.map((item) => {
    switch (item.kind) {
      case 'placeholder':
        return { role: 'placeholder', name: item.name }
      case 'result':
        return { role: 'tool', tool_call_id: item.callId, content: item.text }
      case 'message':
        return {
          role: item.role,
          content: item.text,
          ...(item.calls.length > 0 && {
            tool_calls: item.calls.map((call) => ({
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: call.arguments },
            })),
          }),
        }
    }
  })
  return JSON.stringify(messages, null, 2)
}

function parsed(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}

/** What a recorded request says besides its messages. */
function requestIn(input: string | undefined): Record<string, unknown> {
  const { response_format, tool_choice } = parsed(input)
  return {
    ...(response_format !== undefined && { response_format }),
    ...(tool_choice !== undefined && { tool_choice }),
  }
}

/** The connection of a run of the playground. */
function connectionIn(metadata: string | undefined): string {
  const { connection } = parsed(metadata)
  return typeof connection === 'string' ? connection : ''
}

/** The words of an answer, as new answers are compared to it. */
function answerIn(output: string): string {
  const conversation = readConversationText(output)
  if (!conversation) return output
  const [item] = fromConversation(conversation).items
  if (item?.kind !== 'message') return output
  return [item.text, ...item.calls.map((call) => `${call.name}(${call.arguments})`)]
    .filter((text) => text !== '')
    .join('\n\n')
}
