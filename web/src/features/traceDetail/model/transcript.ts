import { messageKey, newInTurn, type Message } from '@/shared/io'
import { levelOf, typeOf, type Tree } from './tree'

/** A step of a transcript: what is new compared with the turn that it continues. */
export type TranscriptTurn = {
  row: number
  messages: Message[]
  /** The number of preceding messages that an earlier turn already has. */
  known: number
}

/** The messages of an observation: its input and its output. */
export type TurnMessages = { row: number; input: readonly Message[]; output: readonly Message[] }

/** How many recent turns are compared; fewer agents talk in parallel. */
const remembered = 24

/**
 * The rows of a transcript in chronological order: model calls or, in a trace without any, its roots. Failed tools are
 * included, since their errors may be in no message.
 */
export function transcriptRows(tree: Tree): number[] {
  const rows: number[] = []
  for (let row = 0; row < tree.count; row++) if (isTurn(tree, row)) rows.push(row)
  if (!rows.some((row) => typeOf(tree, row) === 'GENERATION'))
    for (let row = 0; row < tree.count; row += tree.size[row] ?? 1)
      if (!rows.includes(row)) rows.push(row)
  return rows.sort((a, b) => (tree.start[a] ?? 0) - (tree.start[b] ?? 0) || a - b)
}

function isTurn(tree: Tree, row: number): boolean {
  const type = typeOf(tree, row)
  return type === 'GENERATION' || (type === 'TOOL' && levelOf(tree, row) === 'ERROR')
}

/**
 * What is new in each turn. A turn continues the earlier one with which it shares the most messages, so that agents
 * that talk in parallel do not repeat each other.
 */
export function toTranscriptTurns(all: readonly TurnMessages[]): TranscriptTurn[] {
  const before: Message[][] = []
  return all.map(({ row, input, output }) => {
    let best = { messages: [...input], known: 0 }
    for (const history of before) {
      const candidate = newInTurn(history, input)
      if (candidate.known > best.known) best = candidate
    }
    // The answer of a model and the copy sent back to it may differ in form, but not in content.
    const answers = new Set(best.messages.map(messageKey))
    const fresh = output.filter((message) => !answers.has(messageKey(message)))
    before.unshift([...input, ...output])
    before.length = Math.min(before.length, remembered)
    return { row, messages: [...best.messages, ...fresh], known: best.known }
  })
}
