import type { Message, Part, ToolCallPart, ToolDefinition, ToolResultPart } from './types'

/** Tool calls with their results. */
export type Pairs = {
  resultOf: Map<ToolCallPart, ToolResultPart>
  /** Results that are shown with their call and need not be shown again. */
  paired: Set<ToolResultPart>
}

/**
 * Pairs results with calls: the first result after a call with its id or, where there are no ids, the first one with
 * its name.
 */
export function pairCalls(messages: readonly Message[]): Pairs {
  const resultOf = new Map<ToolCallPart, ToolResultPart>()
  const paired = new Set<ToolResultPart>()
  const open: ToolCallPart[] = []
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.kind === 'toolCall') open.push(part)
    if (part.kind !== 'toolResult') continue
    const at = open.findIndex((call) => belongs(call, part))
    const [call] = at === -1 ? [] : open.splice(at, 1)
    if (call) {
      resultOf.set(call, part)
      paired.add(part)
    }
  }
  return { resultOf, paired }
}

function belongs(call: ToolCallPart, result: ToolResultPart): boolean {
  if (call.id !== undefined && result.callId !== undefined) return call.id === result.callId
  return result.name !== undefined && result.name === call.name
}

/** The parts of a message without the results that are shown with their calls. */
export function withoutPaired(parts: readonly Part[], pairs: Pairs): Part[] {
  return parts.filter((part) => part.kind !== 'toolResult' || !pairs.paired.has(part))
}

/** The names of the tools that a conversation calls. */
export function calledTools(messages: readonly Message[]): Set<string> {
  const names = new Set<string>()
  for (const part of messages.flatMap(({ parts }) => parts))
    if (part.kind === 'toolCall') names.add(part.name)
  return names
}

/** The tools that are called, followed by those that are not. */
export function toolsByUse(
  tools: readonly ToolDefinition[],
  called: ReadonlySet<string>,
): { tool: ToolDefinition; isCalled: boolean }[] {
  return tools
    .map((tool) => ({ tool, isCalled: called.has(tool.name) }))
    .sort((a, b) => Number(b.isCalled) - Number(a.isCalled))
}
