import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** What only some files may do. Each rule keeps a mistake from being made again that a type cannot prevent. */
const rules: { pattern: RegExp; only: string[]; instead: string }[] = [
  {
    pattern: /\b(?:pushState|replaceState)\b/,
    only: ['shared/lib/historyCalls.ts'],
    instead:
      'navigate, or writeHistoryState of shared/lib/historyState: browsers limit how often the history is written',
  },
  {
    pattern: /\bcreateObjectURL\b/,
    only: ['shared/lib/blobUrl.ts'],
    instead: 'createBlobUrl of shared/lib/blobUrl: a blob URL has the rights of this origin',
  },
  {
    pattern: /\bnavigator\.clipboard\b|\bexecCommand\b/,
    only: ['shared/ui/copyText.ts'],
    instead: 'copyText of shared/ui: there is no clipboard over plain HTTP',
  },
  {
    pattern: /\bnew Worker\(/,
    only: ['shared/lib/startWorker.ts'],
    instead: 'startWorker of shared/lib: a worker whose script is missing has to say so',
  },
  {
    pattern: /<form\b/,
    only: ['shared/ui/Form.tsx'],
    instead: 'Form of shared/ui: React submits the form around a dialog as well',
  },
  {
    pattern: /\bwindow\.open\(/,
    only: [],
    instead: 'ExternalLink of shared/ui: what opens must not have the rights of this origin',
  },
  {
    pattern: /\bJSON\.parse\(/,
    only: [
      // Our own JSON, strings, and texts of which only strings are used.
      'shared/lib/historyState.ts',
      'shared/lib/drafts.ts',
      'shared/lib/tabState.ts',
      'features/experiments/model/runDraft.ts', // a schema that is sent as JSON
      'features/playground/api/fetchSource.ts', // the form of an answer, and the name of a connection
      'features/playground/model/params.ts', // sent as JSON, which has no larger numbers
      'features/traceDetail/model/correction.ts',
      'features/traceDetail/model/download.ts',
      'features/traceDetail/model/sdkCode.ts', // in the code that it writes
      'features/traceDetail/api/useTurnMessages.ts',
      'features/traceList/api/useTail.ts',
      'features/sessions/model/turnMessages.ts',
      'shared/comments/model/anchor.ts',
      'shared/editor/Editor.tsx',
      'shared/editor/model/schemaProblems.ts',
      'shared/prompts/model/readVersion.ts', // the config is read as Json
    ],
    instead: 'Json or prettyText of shared/io: parsing changes large numbers',
  },
  {
    // A module-level map, set or list that something is added to, or a variable.
    pattern:
      /^(?:export )?(?:let |const \w+(?:: (?!Readonly|readonly).+)? = (?:new (?:Map|Set|WeakMap)(?:<.*>)?\(\)|\[\])$)/m,
    only: [
      // Nothing of a user.
      'shared/ui/useNow.ts',
      'shared/lib/workerAddress.ts',
      'shared/lib/historyCalls.ts',
      'shared/lib/historyState.ts',
      'shared/lib/sessionState.ts',
      'features/scoreConfigs/model/config.ts',
      'features/models/model/draft.ts',
      'features/prompts/model/draft.ts',
      'features/skills/model/files.ts',
      'shared/io/json/indexWorker.ts',
      'shared/io/json/useJsonDocument.ts',
      'shared/io/value/model/modes.ts',
    ],
    instead:
      'sessionMap of shared/lib/sessionState, or the query cache: state must end with the session',
  },
]

const source = import.meta.dirname
const allFiles = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.tsx?$/.test(name))
const files = allFiles.filter(
  (name) =>
    !/\.test\.tsx?$|^test\/|^shared\/api\/generated\/|\/testing\/|routeTree\.gen/.test(name),
)
const texts = new Map(files.map((name) => [name, readFileSync(join(source, name), 'utf8')]))

test.each(rules)('$pattern is only where it may be', ({ pattern, only, instead }) => {
  const found = files.filter((name) => pattern.test(texts.get(name) ?? ''))
  expect(
    found.filter((name) => !only.includes(name)),
    `use ${instead}`,
  ).toEqual([])
  expect(only.filter((name) => !found.includes(name))).toEqual([])
})

test('no test replaces something for the tests after it', () => {
  const found = allFiles.filter((name) =>
    /\.prototype(?:\.\w+|\[.+\]) =[^=]/.test(readFileSync(join(source, name), 'utf8')),
  )
  expect(found, 'use vi.spyOn or vi.stubGlobal, which are undone after each test').toEqual([])
})
