import { describe, expect, test } from 'vitest'
import type { PromptBody } from '@/shared/prompts'
import { beginOf, chosenVersion, neighbour, tabIn, versionIn } from './chosen'
import { copiedAll, copiedText } from './copied'
import {
  changeOf,
  changeText,
  errorRate,
  mainValue,
  pointsText,
  scoresIn,
  seriesOf,
  withBefore,
  withinYear,
  type VersionFigures,
} from './figures'
import { actionText, effectText, labelEffects, movedFrom } from './labels'
import { moveText } from './moves'
import { snippetsOf } from './snippets'

describe('the chosen version', () => {
  const head = { newest: 9, labels: { production: 7, constructor: 3 } }
  const found = (version: number) => ({ kind: 'version', version })
  test.each([
    [{}, found(9)],
    [{ label: 'production' }, found(7)],
    [{ label: 'latest' }, found(9)],
    [{ version: '5', label: 'production' }, found(5)],
    [{ version: '', label: '' }, found(9)],
  ])('of %j', (search, want) => expect(chosenVersion(search, head)).toEqual(want))

  test.each([{ version: 'x' }, { version: '0' }, { version: '-1' }, { label: 'toString' }])(
    'there is none of %j',
    (search) => expect(chosenVersion(search, head).kind).toBe('missing'),
  )

  test('a number needs no labels, anything else waits for them', () => {
    expect(chosenVersion({ version: '5' }, undefined)).toEqual(found(5))
    expect(chosenVersion({ label: 'production' }, undefined).kind).toBe('waiting')
    expect(chosenVersion({}, undefined).kind).toBe('waiting')
  })

  test('numbers beyond the highest version are none', () => {
    expect(versionIn('2147483647')).toBe(2_147_483_647)
    expect(versionIn('2147483648')).toBeUndefined()
    expect(versionIn('1.5')).toBeUndefined()
  })

  test('J and K go down and up, and to the nearest from a version that is not listed', () => {
    const list = [9, 7, 4]
    expect(neighbour(list, 7, 1)).toBe(4)
    expect(neighbour(list, 7, -1)).toBe(9)
    expect(neighbour(list, 4, 1)).toBeUndefined()
    expect(neighbour(list, 9, -1)).toBeUndefined()
    expect(neighbour(list, 5, 1)).toBe(4)
    expect(neighbour(list, 5, -1)).toBe(7)
    expect(neighbour(list, 1, 1)).toBeUndefined()
    expect(neighbour([], 1, 1)).toBeUndefined()
  })

  test('config is shown with the prompt', () => {
    expect(tabIn('config')).toBe('prompt')
    expect(tabIn('use-prompt')).toBe('use-prompt')
    expect(tabIn(undefined)).toBe('prompt')
  })
})

describe('labels', () => {
  const labels = { latest: 9, production: 5, staging: 9, old: 9 }

  test('what a change does is said, production first', () => {
    const effects = labelEffects(9, new Set(['staging', 'production', 'canary']), labels)
    expect(effects).toEqual([
      { label: 'production', kind: 'moves', from: 5 },
      { label: 'canary', kind: 'added' },
      { label: 'old', kind: 'removed', from: 9 },
    ])
    expect(movedFrom(effects)).toBe(5)
    expect(effects.map((each) => effectText(each, 9))).toEqual([
      'production moves from version 5 to version 9.',
      'canary is given to version 9. No version has it now.',
      'old is removed. No version will have it, and applications that ask for it get an error.',
    ])
    expect(actionText(effects)).toBe('Save labels')
    expect(actionText(effects.slice(0, 1))).toBe('Move production')
    expect(actionText(effects.slice(1, 2))).toBe('Add canary')
    expect(actionText(effects.slice(2))).toBe('Remove old')
  })

  test('nothing changes while the same labels are chosen, and latest is never given', () => {
    expect(labelEffects(9, new Set(['staging', 'old']), labels)).toEqual([])
    expect(labelEffects(5, new Set(['production', 'latest']), labels)).toEqual([])
    expect(labelEffects(9, new Set(['staging', 'old', 'toString']), labels)).toEqual([
      { label: 'toString', kind: 'added' },
    ])
  })

  test.each([
    [null, 2, 'production was given to v2'],
    [1, 2, 'production moved from v1 to v2'],
    [1, null, 'production was removed from v1'],
  ])('from %s to %s', (from, to, text) =>
    expect(moveText({ label: 'production', from, to })).toBe(text),
  )
})

describe('figures', () => {
  const figures = (version: number, count: number, errors = 0): VersionFigures => ({
    version,
    count,
    errors,
    latency: { p50: 1, p95: 2 },
    tokens: { input: 1, output: 1 },
    cost: null,
    firstAt: '2026-01-01T00:00:00Z',
    lastAt: '2026-01-01T00:00:00Z',
    scores: [],
  })
  const score = { name: 'good', source: 'API', dataType: 'NUMERIC', values: {} }

  test('versions stand beside the next lower one that was used', () => {
    const rows = withBefore([figures(7, 10), figures(3, 5)])
    expect(rows.map(({ before }) => before?.version)).toEqual([3, undefined])
    expect(errorRate(figures(1, 8, 2))).toBe(0.25)
    expect(errorRate(figures(1, 0))).toBeNull()
  })

  test.each([
    [1.1, 1, '+10%'],
    [0.97, 1, '−3%'],
    [1.001, 1, ''],
    [20, 1, '×20'],
    [0, 0, ''],
    [1, 0, ''],
    [1, null, ''],
    [null, 1, ''],
  ])('%s after %s: %s', (now, before, text) =>
    expect(changeText(changeOf({ now, before }))).toBe(text),
  )

  test('shares change by points', () => {
    expect(pointsText({ now: 0.033, before: 0.167 })).toBe('−13.4 pp')
    expect(pointsText({ now: 0.5, before: 0.25 })).toBe('+25 pp')
    expect(pointsText({ now: 0.5, before: null })).toBe('')
    expect(pointsText({ now: 0.5, before: 0.5 })).toBe('')
  })

  test('scores of one name but another source are others', () => {
    const a = { ...figures(2, 1), scores: [{ ...score, count: 1, mean: 0.5 }] }
    const b = {
      ...figures(1, 1),
      scores: [
        { ...score, count: 2, mean: 0.5 },
        { ...score, source: 'EVAL', count: 9, mean: 1 },
      ],
    }
    expect(scoresIn([a, b]).map(({ source }) => source)).toEqual(['EVAL', 'API'])
    expect(mainValue({ ...score, count: 4, mean: null, values: { no: 1, yes: 3 } })).toBe('yes 75%')
    expect(mainValue({ ...score, count: 0, mean: null, values: {} })).toBe('–')
  })

  test('points become series: no calls are zero calls, and no latency', () => {
    const point = { bucket: 1, version: 2, count: 3, errors: 1, p50: 0.5, cost: null }
    const series = { buckets: 3, points: [{ ...point, version: 1, bucket: 0 }, point] }
    expect(seriesOf(series, 'count')).toEqual([
      { label: 'v2', values: [0, 3, 0] },
      { label: 'v1', values: [3, 0, 0] },
    ])
    expect(seriesOf(series, 'p50')[0]?.values).toEqual([null, 0.5, null])
  })

  test('figures go back a year', () => {
    const to = new Date('2026-06-01T00:00:00Z')
    const year = withinYear({ from: new Date(0), to })
    expect(year.isCut).toBe(true)
    expect(to.getTime() - year.from.getTime()).toBe(366 * 86_400_000)
    expect(withinYear({ from: new Date('2026-05-01T00:00:00Z'), to }).isCut).toBe(false)
  })
})

describe('code', () => {
  const name = `it's "a"/b\n&x`
  const body: PromptBody = { type: 'chat', prompt: [], config: '{}' }
  const code = (wanted: { label: string } | { version: number }) =>
    Object.fromEntries(
      snippetsOf({ server: 'https://host/base', name, wanted, body, variables: ['who'] }).map(
        (each) => [each.id, each.code],
      ),
    )

  test('names are literals in each language', () => {
    const { python, js, curl, cli } = code({ label: 'production' })
    expect(python).toContain(
      `get_prompt("it's \\"a\\"/b\\n&x", label="production", type="chat")\nprint(prompt.compile(who="…")`,
    )
    expect(js).toContain(
      `prompt.get("it's \\"a\\"/b\\n&x", { label: "production", type: "chat" });`,
    )
    expect(curl).toContain(
      `'https://host/base/api/public/v2/prompts/it'\\''s%20%22a%22%2Fb%0A%26x?label=production'`,
    )
    expect(cli).toContain(`--folder 'it'\\''s "a"' --label production`)
    for (const each of [python, js, cli]) expect(each).toContain('https://host/base')
  })

  test('a version is asked for by its number', () => {
    const { python, js, curl, cli } = code({ version: 7 })
    expect(python).toContain('version=7')
    expect(js).toContain('version: 7')
    expect(curl).toContain('?version=7')
    expect(cli).not.toContain('--label')
  })

  test('what is copied is what is stored', () => {
    const config = '{"seed":12345678901234567890}'
    expect(copiedText({ type: 'text', prompt: ' a\n', config })).toBe(' a\n')
    expect(copiedAll({ type: 'text', prompt: 'a"', config })).toBe(
      `{"type":"text","prompt":"a\\"","config":${config}}`,
    )
  })
})

test('a list begins at the newest version unless the shown one is far below it', () => {
  expect(beginOf(5, 1)).toBeUndefined()
  expect(beginOf(1500, 501)).toBeUndefined()
  expect(beginOf(1500, 500)).toBe(531)
})
