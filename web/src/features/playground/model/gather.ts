import { Json } from '@/shared/io'
import type { StreamEvent } from '@/shared/stream'
import { newId, type Item, type Tool, type ToolCall } from './state'

/** An answer while it arrives. */
export type Answer = {
  text: string
  refusal: string
  reasoning: string
  calls: ToolCall[]
  /** Why the answer was begun again. */
  restarted?: string
  trace?: { traceId: string; observationId: string }
  tokens?: { input: number; output: number; total: number | undefined }
  /** In US dollars; null if the model has no price. */
  cost?: number | null
  ms?: number
  firstTokenMs?: number
  finish?: string
  /** Parameters that the model does not take. */
  dropped: string[]
}

export const emptyAnswer: Answer = { text: '', refusal: '', reasoning: '', calls: [], dropped: [] }

const numberOf = (value: Json): number | undefined =>
  value.kind === 'number' ? Number(value.raw) : undefined

/** The answer with one more event. Unknown events change nothing. */
export function gather(answer: Answer, { name, data }: StreamEvent): Answer {
  const body = Json.parse(data)
  if (!body) return answer
  const text = body.get('text').string ?? ''
  switch (name) {
    case 'delta':
      return { ...answer, text: answer.text + text }
    case 'refusal':
      return { ...answer, refusal: answer.refusal + text }
    case 'reasoning':
      return { ...answer, reasoning: answer.reasoning + text }
    case 'restart':
      return { ...emptyAnswer, restarted: text }
    case 'toolCall':
      return { ...answer, calls: withCall(answer.calls, body) }
    case 'trace':
      return {
        ...answer,
        trace: {
          traceId: body.get('traceId').string ?? '',
          observationId: body.get('observationId').string ?? '',
        },
      }
    case 'usage':
      return {
        ...answer,
        tokens: {
          input: numberOf(body.get('input')) ?? 0,
          output: numberOf(body.get('output')) ?? 0,
          total: numberOf(body.get('total')),
        },
      }
    case 'cost':
      return { ...answer, cost: numberOf(body.get('total')) ?? null }
    case 'done':
      return {
        ...answer,
        ms: numberOf(body.get('ms')),
        firstTokenMs: numberOf(body.get('firstTokenMs')),
        finish: body.get('finish').string,
        dropped: body
          .get('dropped')
          .elements()
          .flatMap((each) => each.string ?? []),
        calls: answer.calls.map((call, index) => {
          const signature = body.get('signatures').get(String(index)).string
          return signature === undefined ? call : { ...call, signature }
        }),
      }
    default:
      return answer
  }
}

function withCall(calls: readonly ToolCall[], body: Json): ToolCall[] {
  const index = Math.min(numberOf(body.get('index')) ?? 0, calls.length)
  const before = calls[index] ?? { id: '', name: '', arguments: '' }
  const call = {
    id: before.id + (body.get('id').string ?? ''),
    name: before.name + (body.get('name').string ?? ''),
    arguments: before.arguments + (body.get('arguments').string ?? ''),
  }
  return index < calls.length ? calls.with(index, call) : [...calls, call]
}

/** All that an answer says, to be copied and compared. */
export function textOf({ text, refusal, calls }: Answer): string {
  return [text, refusal, ...calls.map(callText)].filter((each) => each !== '').join('\n\n')
}

export function callText({ name, arguments: args }: ToolCall): string {
  return `${name}(${args})`
}

/** The answer as a message, and a result for each of its calls: what the tool has been told to answer here. */
export function itemsOfAnswer(answer: Answer, tools: readonly Tool[]): Item[] {
  const calls = answer.calls.map((call, index) => ({
    ...call,
    id: call.id === '' ? `call_${index + 1}` : call.id,
  }))
  return [
    {
      id: newId(),
      kind: 'message',
      role: 'assistant',
      text: answer.text === '' ? answer.refusal : answer.text,
      files: [],
      calls,
    },
    ...calls.map((call): Item => ({
      id: newId(),
      kind: 'result',
      callId: call.id,
      text: tools.find(({ name }) => name === call.name)?.mock ?? '',
    })),
  ]
}
