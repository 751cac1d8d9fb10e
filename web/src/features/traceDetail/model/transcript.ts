import { keyed, messageKey, newInTurn, type Keyed, type Message } from '@/shared/io'
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
 * Finds out what is new in each turn. A turn continues the earlier one with which it shares the most messages, so that
 * agents that talk in parallel do not repeat each other.
 *
 * Every turn of an agent repeats its whole history, so the key of a message is asked for once, keys are compared as
 * numbers, and turns that were known at the last call are kept: further turns extend a transcript.
 */
export function createTranscript(keyOf: (message: Message) => string = messageKey) {
  const numbers = new Map<string, number>()
  const numberOf = (message: Message): number => {
    const key = keyOf(message)
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, numbers.size)
    return numbers.size - 1
  }
  let told: { from: TurnMessages; turn: TranscriptTurn }[] = []
  /** The last turns, newest first. */
  let before: Keyed[] = []
  const tell = ({ row, input, output }: TurnMessages): TranscriptTurn => {
    const asked = keyed(input, numberOf)
    const answered = keyed(output, numberOf)
    let best = { messages: [...input], known: 0 }
    for (const history of before) {
      const candidate = newInTurn(history, asked)
      if (candidate.known > best.known) best = candidate
    }
    // The answer of a model and the copy sent back to it may differ in form, but not in content.
    const fresh = new Set<Message>(best.messages)
    const answers = new Set(asked.keys.filter((_, at) => fresh.has(input[at] as Message)))
    const answer = output.filter((_, at) => !answers.has(answered.keys[at]))
    const isAnswerFirst = asked.instructions === input.length
    before = [
      {
        messages: [...input, ...output],
        instructions: asked.instructions + (isAnswerFirst ? answered.instructions : 0),
        keys: [...asked.keys, ...answered.keys],
      },
      ...before,
    ].slice(0, remembered)
    return { row, messages: [...best.messages, ...answer], known: best.known }
  }
  /** The turns of a transcript. */
  return (all: readonly TurnMessages[]): TranscriptTurn[] => {
    const isExtended = told.every(({ from }, at) => {
      const now = all[at]
      return now && from.row === now.row && from.input === now.input && from.output === now.output
    })
    if (!isExtended) {
      told = []
      before = []
      numbers.clear()
    }
    for (const from of all.slice(told.length)) told.push({ from, turn: tell(from) })
    return told.map(({ turn }) => turn)
  }
}
