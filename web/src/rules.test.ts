import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** What only some files may do. Each rule keeps a mistake from being made again that a type cannot prevent. */
const rules: { pattern: RegExp; only: string[]; instead: string }[] = [
  {
    pattern: /\b(?:pushState|replaceState)\b/,
    only: ['lib/historyCalls.ts'],
    instead: 'navigate, or keep() of lib/kept: browsers limit how often the history is written',
  },
  {
    pattern: /\bcreateObjectURL\b/,
    only: ['lib/blobUrl.ts'],
    instead: 'createBlobUrl of lib/blobUrl: a blob URL has the rights of this origin',
  },
  {
    pattern: /\bnavigator\.clipboard\b|\bexecCommand\b/,
    only: ['ui/copyText.ts'],
    instead: 'copyText of ui: there is no clipboard over plain HTTP',
  },
  {
    pattern: /\bnew Worker\(/,
    only: ['lib/startWorker.ts'],
    instead: 'startWorker of lib: a worker whose script is missing has to say so',
  },
  {
    pattern: /<form\b/,
    only: ['ui/Form.tsx'],
    instead: 'Form of ui: React submits the form around a dialog as well',
  },
  {
    pattern: /\bwindow\.open\(/,
    only: [],
    instead: 'ExternalLink of ui: what opens must not have the rights of this origin',
  },
  {
    pattern: /\bJSON\.parse\(/,
    only: [
      // Our own JSON, strings, and texts of which only strings are used.
      'lib/kept.ts',
      'features/trace/model/download.ts',
      'features/trace/model/sdkCode.ts', // in the code that it writes
      'features/trace/api/useSaid.ts',
      'features/traces/api/useTail.ts',
      'features/sessions/model/said.ts',
      'features/comments/model/anchor.ts',
    ],
    instead: 'Json or prettyText of io: parsing changes large numbers',
  },
  {
    // A module-level map, set or list that something is added to, or a variable.
    pattern:
      /^(?:export )?(?:let |const \w+(?:: (?!Readonly|readonly).+)? = (?:new (?:Map|Set|WeakMap)(?:<.*>)?\(\)|\[\])$)/m,
    only: [
      // Nothing of a user.
      'ui/useNow.ts',
      'lib/workerAddress.ts',
      'lib/historyCalls.ts',
      'lib/kept.ts',
      'lib/sessionState.ts',
      'features/scoreConfigs/model/config.ts',
      'features/models/model/draft.ts',
      'features/traces/model/query/fields.ts',
      'io/json/indexWorker.ts',
      'io/json/useJsonDocument.ts',
      'io/value/model/modes.ts',
    ],
    instead: 'sessionMap of lib/sessionState, or the query cache: state must end with the session',
  },
]

const source = import.meta.dirname
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter(
    (name) =>
      /\.tsx?$/.test(name) &&
      !/\.test\.tsx?$|^test\/|^api\/generated\/|\/testing\/|routeTree\.gen/.test(name),
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
