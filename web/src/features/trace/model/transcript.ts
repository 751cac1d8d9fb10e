import { messageKey, newInTurn, type Message } from '@/io'
import { levelOf, typeOf, type Tree } from './tree'

/** One step of a transcript: what is new in it against the turn that it continues. */
export type Turn = {
  row: number
  messages: Message[]
  /** How many messages before these were said already in an earlier turn. */
  known: number
}

/** What one observation says: the messages that went in, and those that came out. */
export type Said = { row: number; input: readonly Message[]; output: readonly Message[] }

/** Turns before this many are not compared with any more; agents that talk at once are fewer. */
const remembered = 24

/**
 * The rows that a transcript is made of, in the order of time: model calls; of a trace without any, its roots. Tools that failed
 * are part of it, since their errors may be in no message.
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
 * What is new in each turn. A turn continues the earlier one that it has most messages in common with, so that agents that
 * talk at the same time do not repeat each other.
 */
export function toTurns(all: readonly Said[]): Turn[] {
  const before: Message[][] = []
  return all.map(({ row, input, output }) => {
    let best = { messages: [...input], known: 0 }
    for (const history of before) {
      const candidate = newInTurn(history, input)
      if (candidate.known > best.known) best = candidate
    }
    // What a model answered and what it was sent back may differ in form, but not in what they say.
    const answers = new Set(best.messages.map(messageKey))
    const fresh = output.filter((message) => !answers.has(messageKey(message)))
    before.unshift([...input, ...output])
    before.length = Math.min(before.length, remembered)
    return { row, messages: [...best.messages, ...fresh], known: best.known }
  })
}
