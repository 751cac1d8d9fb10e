import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConversationText } from './readConversation'
import { asLines } from './testing'

const fixtures = resolve('src/shared/io/fixtures')
const captured = join(fixtures, 'captured')
const frameworks = resolve('../internal/ingest/testdata/frameworks')

type Captured = { library: string; values: Record<string, unknown> }
type Row = { name: string; type: string; input?: unknown; output?: unknown }

function json<T>(folder: string, file: string): T {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as T
}

/** The lines of a stored value, or a note that it is not a conversation. */
function shown(value: unknown): string[] | string {
  const conversation = readConversationText(JSON.stringify(value))
  return conversation ? asLines(conversation) : 'no conversation'
}

describe('values of libraries, as test/capture/values.py took them', () => {
  it.each(readdirSync(captured))('%s', async (file) => {
    const { values } = json<Captured>(captured, file)
    const lines = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, shown(value)]),
    )
    await expect(JSON.stringify(lines, null, 1) + '\n').toMatchFileSnapshot(
      join(fixtures, 'shown', file),
    )
  })
})

describe('inputs and outputs as the server stores them', () => {
  const files = readdirSync(frameworks).filter((file) => file.endsWith('.rows.json'))
  it.each(files)('%s', async (file) => {
    const lines = json<Row[]>(frameworks, file).flatMap(({ name, type, input, output }) => [
      ...(input === undefined ? [] : [[`${type} ${name}, input`, shown(input)]]),
      ...(output === undefined ? [] : [[`${type} ${name}, output`, shown(output)]]),
    ])
    if (lines.length === 0) return
    await expect(JSON.stringify(lines, null, 1) + '\n').toMatchFileSnapshot(
      join(fixtures, 'shown', file),
    )
  })
})
