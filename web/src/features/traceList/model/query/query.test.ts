import { describe, expect, test } from 'vitest'
import { decodeFilter, encodeFilter, groupOf, type GroupType } from '@/shared/lib/filter'
import {
  fields,
  printQuery,
  queryOfAddress,
  compileQuery,
  traceQueries,
  type Condition,
  type Query,
} from '.'

const text = (column: string, operator: string, value: string): Condition => ({
  type: 'string',
  column,
  operator,
  value,
})
const any = (column: string, ...value: string[]): Condition => ({
  type: 'stringOptions',
  column,
  operator: 'any of',
  value,
})
const none = (column: string, ...value: string[]): Condition => ({
  ...any(column, ...value),
  operator: 'none of',
})
const list = (column: string, operator: string, ...value: string[]): Condition => ({
  type: 'arrayOptions',
  column,
  operator,
  value,
})
const number = (column: string, operator: string, value: number): Condition => ({
  type: 'number',
  column,
  operator,
  value,
})
const entry = (key: string, operator: string, value: string): Condition => ({
  type: 'stringObject',
  column: 'metadata',
  key,
  operator,
  value,
})
const score = (
  type: Condition['type'],
  key: string,
  operator: string,
  value: Condition['value'],
): Condition => ({ type, column: 'scores', key, operator, value })
const group = (type: GroupType, ...conditions: Condition[]) => groupOf(type, conditions)
/** The typed text, its meaning and, where it differs, the printed form. */
const meanings: [typed: string, conditions: Condition[], search?: string, printed?: string][] = [
  ['', []],
  ['   ', [], '', ''],
  // Words.
  ['timeout', [], 'timeout'],
  ['connection  refused', [], 'connection refused', 'connection refused'],
  ['"connection refused"', [], 'connection refused', 'connection refused'],
  ['"level:ERROR"', [], 'level:ERROR'],
  ['"or"', [], 'or'],
  ['"say \\"hi\\""', [], 'say "hi"'],
  ['“smart quotes”', [], 'smart quotes', 'smart quotes'],
  ['東京　天気', [], '東京 天気', '東京 天気'],
  ['user-42', [], 'user-42'],
  ['-', [], '-', '"-"'],
  // Options are compared as a whole, ignoring case.
  ['level:ERROR', [any('level', 'ERROR')]],
  ['Level:error', [any('level', 'ERROR')], '', 'level:ERROR'],
  ['level：ERROR', [any('level', 'ERROR')], '', 'level:ERROR'],
  ['-level:DEBUG', [none('level', 'DEBUG')]],
  ['level:(WARNING OR ERROR)', [any('level', 'WARNING', 'ERROR')]],
  ['level:(warning or error)', [any('level', 'WARNING', 'ERROR')], '', 'level:(WARNING OR ERROR)'],
  ['level:( WARNING )', [any('level', 'WARNING')], '', 'level:WARNING'],
  ['-level:(DEBUG OR DEFAULT)', [none('level', 'DEBUG', 'DEFAULT')]],
  ['env:production', [any('environment', 'production')]],
  ['environment:prod*', [text('environment', 'starts with', 'prod')], '', 'env:prod*'],
  ['env:*prod*', [text('environment', 'contains', 'prod')]],
  ['-env:*prod*', [text('environment', 'does not contain', 'prod')]],
  // Texts.
  ['name:chat', [text('name', 'contains', 'chat')]],
  ['name:*chat*', [text('name', 'contains', 'chat')], '', 'name:chat'],
  ['name:chat*', [text('name', 'starts with', 'chat')]],
  ['name:*chat', [text('name', 'ends with', 'chat')]],
  ['name:=chat', [any('name', 'chat')]],
  ['-name:=chat', [none('name', 'chat')]],
  ['-name:chat', [text('name', 'does not contain', 'chat')]],
  ['name:"two words"', [text('name', 'contains', 'two words')]],
  ['name:"two words"*', [text('name', 'starts with', 'two words')]],
  ['name:*"two words"', [text('name', 'ends with', 'two words')]],
  ['name:="two words"', [any('name', 'two words')]],
  ['name:"a*b"', [text('name', 'contains', 'a*b')]],
  ['name:">5"', [text('name', 'contains', '>5')]],
  ['name:"(x)"', [text('name', 'contains', '(x)')]],
  ['name:=a:b', [any('name', 'a:b')]],
  ['name:("a b" OR c OR "or")', [any('name', 'a b', 'c', 'or')]],
  ['user:林', [text('userId', 'contains', '林')]],
  ['session:=s-1', [any('sessionId', 's-1')]],
  ['sessionId:=s-1', [any('sessionId', 's-1')], '', 'session:=s-1'],
  ['model:gpt-4o', [text('model', 'contains', 'gpt-4o')]],
  ['prompt:greeting', [text('promptName', 'contains', 'greeting')]],
  ['status:timeout', [text('statusMessage', 'contains', 'timeout')]],
  [
    'dataset:=d experiment:run',
    [any('experimentDatasetId', 'd'), text('experimentName', 'contains', 'run')],
  ],
  // Lists.
  ['tags:beta', [list('tags', 'any of', 'beta')]],
  ['tag:beta', [list('tags', 'any of', 'beta')], '', 'tags:beta'],
  ['tags:(a OR b)', [list('tags', 'any of', 'a', 'b')]],
  ['tags:(a AND b)', [list('tags', 'all of', 'a', 'b')]],
  ['-tags:a', [list('tags', 'none of', 'a')]],
  ['-tags:(a OR "b c")', [list('tags', 'none of', 'a', 'b c')]],
  // Numbers.
  ['latency:>2', [number('latency', '>', 2)], '', 'latency:>2s'],
  ['latency:>=300ms', [number('latency', '>=', 0.3)]],
  ['latency:<2m', [number('latency', '<', 120)], '', 'latency:<120s'],
  [
    'latency:1..5',
    [number('latency', '>=', 1), number('latency', '<=', 5)],
    '',
    'latency:>=1s latency:<=5s',
  ],
  ['latency:>1s latency:<5s', [number('latency', '>', 1), number('latency', '<', 5)]],
  ['-latency:>2s', [number('latency', '<=', 2)], '', 'latency:<=2s'],
  ['cost:>$0.01', [number('totalCost', '>', 0.01)]],
  ['cost:>0.0000001', [number('totalCost', '>', 1e-7)], '', 'cost:>$1e-7'],
  ['tokens:>=10k', [number('totalTokens', '>=', 10_000)], '', 'tokens:>=10000'],
  ['ttft:<1s tps:>20', [number('timeToFirstToken', '<', 1), number('tokensPerSecond', '>', 20)]],
  ['promptVersion:3', [number('promptVersion', '=', 3)]],
  // Times.
  [
    'start:>2026-11-01',
    [{ type: 'datetime', column: 'startTime', operator: '>', value: '2026-11-01T00:00:00.000Z' }],
  ],
  [
    'start:<="2026-11-01 09:30Z"',
    [{ type: 'datetime', column: 'startTime', operator: '<=', value: '2026-11-01T09:30:00.000Z' }],
    '',
    'start:<=2026-11-01T09:30',
  ],
  // Booleans.
  ['root:true', [{ type: 'boolean', column: 'isRootObservation', operator: '=', value: true }]],
  [
    '-root:yes',
    [{ type: 'boolean', column: 'isRootObservation', operator: '=', value: false }],
    '',
    'root:false',
  ],
  // Long texts are searched for words.
  ['input:refund', [text('input', 'matches', 'refund')]],
  ['output:"I cannot"', [text('output', 'matches', 'I cannot')]],
  ['output:=""', [text('output', '=', '')]],
  ['input:*refund*', [text('input', 'matches', 'refund')], '', 'input:refund'],
  // Keys.
  ['metadata.customer:acme', [entry('customer', 'contains', 'acme')]],
  ['metadata.customer:=acme', [entry('customer', '=', 'acme')]],
  ['-metadata.customer:acme', [entry('customer', 'does not contain', 'acme')]],
  ['metadata.customer:ac*', [entry('customer', 'starts with', 'ac')]],
  ['metadata.a.b:x', [entry('a.b', 'contains', 'x')]],
  ['metadata."odd: key":x', [entry('odd: key', 'contains', 'x')]],
  [
    'metadata.size:>5',
    [{ type: 'numberObject', column: 'metadata', key: 'size', operator: '>', value: 5 }],
  ],
  ['has:metadata.customer', [entry('customer', 'contains', '')]],
  // Scores: numbers, true or false, categories.
  ['scores.quality:>0.8', [score('numberObject', 'quality', '>', 0.8)]],
  [
    'score."tone of voice":<=1',
    [score('numberObject', 'tone of voice', '<=', 1)],
    '',
    'scores."tone of voice":<=1',
  ],
  ['scores.q:0.5', [score('numberObject', 'q', '=', 0.5)], '', 'scores.q:=0.5'],
  [
    'scores.q:0.2..0.5',
    [score('numberObject', 'q', '>=', 0.2), score('numberObject', 'q', '<=', 0.5)],
    '',
    'scores.q:>=0.2 scores.q:<=0.5',
  ],
  ['-scores.q:>1', [score('numberObject', 'q', '<=', 1)], '', 'scores.q:<=1'],
  ['scores.safe:true', [score('booleanObject', 'safe', '=', true)]],
  ['-scores.safe:true', [score('booleanObject', 'safe', '<>', true)]],
  ['scores.safe:=no', [score('booleanObject', 'safe', '=', false)], '', 'scores.safe:false'],
  ['scores.mood:good', [score('categoryOptions', 'mood', 'any of', ['good'])]],
  [
    'scores.mood:="so so"',
    [score('categoryOptions', 'mood', 'any of', ['so so'])],
    '',
    'scores.mood:"so so"',
  ],
  ['-scores.mood:good', [score('categoryOptions', 'mood', 'none of', ['good'])]],
  ['scores.mood:(good OR "5")', [score('categoryOptions', 'mood', 'any of', ['good', '5'])]],
  ['scores.mood:"5"', [score('categoryOptions', 'mood', 'any of', ['5'])]],
  ['scores.mood:"true"', [score('categoryOptions', 'mood', 'any of', ['true'])]],
  ['scores.mood:"1..2"', [score('categoryOptions', 'mood', 'any of', ['1..2'])]],
  ['scores.mood:*oo*', [score('stringObject', 'mood', 'contains', 'oo')]],
  ['scores.mood:go*', [score('stringObject', 'mood', 'starts with', 'go')]],
  ['-scores.mood:*oo*', [score('stringObject', 'mood', 'does not contain', 'oo')]],
  ['has:scores.quality', [list('scoreNames', 'any of', 'quality')]],
  ['-has:scores."a b"', [list('scoreNames', 'none of', 'a b')]],
  ['has:scores', [{ type: 'null', column: 'scores', operator: 'is not null' }]],
  // Presence.
  ['has:user', [{ type: 'null', column: 'userId', operator: 'is not null' }]],
  ['-has:user', [{ type: 'null', column: 'userId', operator: 'is null' }]],
  ['has:output', [{ type: 'boolean', column: 'hasOutput', operator: '=', value: true }]],
  ['-has:input', [{ type: 'boolean', column: 'hasInput', operator: '=', value: false }]],
  ['has:metadata', [{ type: 'null', column: 'metadata', operator: 'is not null' }]],
  // Combinations.
  ['level:ERROR OR type:TOOL', [group('any', any('level', 'ERROR'), any('type', 'TOOL'))]],
  [
    'level:ERROR and type:TOOL or env:a',
    [
      group(
        'any',
        group('all', any('level', 'ERROR'), any('type', 'TOOL')),
        any('environment', 'a'),
      ),
    ],
    '',
    'level:ERROR type:TOOL OR env:a',
  ],
  [
    '(level:ERROR OR type:TOOL) env:a words',
    [group('any', any('level', 'ERROR'), any('type', 'TOOL')), any('environment', 'a')],
    'words',
  ],
  [
    '(level:ERROR type:TOOL)',
    [any('level', 'ERROR'), any('type', 'TOOL')],
    '',
    'level:ERROR type:TOOL',
  ],
  ['-(level:ERROR type:TOOL)', [group('not', any('level', 'ERROR'), any('type', 'TOOL'))]],
  [
    '-(level:ERROR OR type:TOOL)',
    [group('not', group('any', any('level', 'ERROR'), any('type', 'TOOL')))],
  ],
  ['has:(type:TOOL level:ERROR)', [group('has', any('type', 'TOOL'), any('level', 'ERROR'))]],
  ['none:(type:TOOL name:=a)', [group('not', group('has', any('type', 'TOOL'), any('name', 'a')))]],
  ['-has:(type:TOOL)', [group('not', group('has', any('type', 'TOOL')))], '', 'none:(type:TOOL)'],
  [
    'has:(type:TOOL OR name:"a)")',
    [group('has', group('any', any('type', 'TOOL'), text('name', 'contains', 'a)')))],
  ],
  [
    '((level:ERROR OR type:TOOL) latency:1..2) OR has:user',
    [
      group(
        'any',
        group(
          'all',
          group('any', any('level', 'ERROR'), any('type', 'TOOL')),
          number('latency', '>=', 1),
          number('latency', '<=', 2),
        ),
        { type: 'null', column: 'userId', operator: 'is not null' },
      ),
    ],
    '',
    '(level:ERROR OR type:TOOL) latency:>=1s latency:<=2s OR has:user',
  ],
  // Everything combined.
  [
    'level:ERROR refund -env:test tags:(a OR b) policy',
    [any('level', 'ERROR'), none('environment', 'test'), list('tags', 'any of', 'a', 'b')],
    'refund policy',
    'level:ERROR -env:test tags:(a OR b) refund policy',
  ],
]

describe('what is typed', () => {
  test.each(meanings)('%s', (typed, conditions, search = '', printed = typed) => {
    const { query, errors } = compileQuery(typed)
    expect(errors).toEqual([])
    expect(query).toEqual({ conditions, search })
    expect(printQuery(query)).toBe(printed)
    expect(compileQuery(printed).query).toEqual(query)
    expect(decodeFilter(encodeFilter(conditions) ?? '')).toEqual({ conditions, unknown: [] })
  })
})

describe('what is wrong', () => {
  const problems: [typed: string, word: string, message: RegExp][] = [
    ['level:', 'level:', /needs a value/],
    ['x level: y', 'level:', /needs a value/],
    ['levl:ERROR', 'levl', /Do you mean level/],
    ['http://x', 'http', /no field “http”.*quotation marks/],
    ['colour:red', 'colour', /no field/],
    ['a OR level:ERROR', 'a', /Words cannot be in brackets or beside OR/],
    ['level:ERROR OR', 'OR', /missing beside OR/],
    ['or level:ERROR', 'or', /missing beside OR/],
    ['(level:ERROR', '(level:ERROR', /closing bracket/],
    ['has:()', '()', /condition is missing/],
    ['((((((level:ERROR))))))', '(level:ERROR))))))', /too deep/],
    ['not x', 'not', /Put a minus/],
    ['! x', '!', /Put a minus/],
    ['-word', '-word', /cannot be excluded/],
    ['-"a b"', '-"a b"', /cannot be excluded/],
    ['"open', '"open', /closing quotation mark/],
    ['name:"open', '"open', /closing quotation mark/],
    ['name:"a"b', 'b', /space is missing/],
    ['level:(A', '(A', /closing bracket/],
    ['level:(A B)', 'B', /OR or AND/],
    ['level:(A OR', '(A OR', /closing bracket/],
    ['level:(A OR )', ')', /value is missing/],
    ['level:()', ')', /value is missing/],
    ['tags:(a OR b AND c)', 'AND', /cannot be mixed/],
    ['level:(A AND B)', 'level:(A AND B)', /Use OR/],
    ['foo(bar)', 'foo(bar)', /Brackets/],
    ['name:a*b', 'a*b', /star/],
    ['name:>5', 'name:>5', /is a text/],
    ['name:>', '>', /value is missing/],
    ['name:=chat*', 'name:=chat*', /Stars/],
    ['-name:chat*', '-name:chat*', /cannot be excluded/],
    ['tags:be*', 'tags:be*', /star/],
    ['-tags:(a AND b)', '-tags:(a AND b)', /Use OR/],
    ['latency:fast', 'latency:fast', /not a number, such as 2s/],
    ['latency:(1 OR 2)', 'latency:(1 OR 2)', /one number/],
    ['-latency:2', '-latency:2', /cannot be excluded/],
    ['cost:>5k', 'cost:>5k', /not a number/],
    ['latency:>$5', 'latency:>$5', /not a number/],
    ['start:2026-11-01', 'start:2026-11-01', /compared with > and </],
    ['start:>yesterday', 'start:>yesterday', /not a time/],
    ['root:maybe', 'root:maybe', /true or false/],
    ['-input:x', '-input:x', /cannot be excluded/],
    ['input:x*', 'input:x*', /whole words/],
    ['input:"!?"', 'input:"!?"', /has none/],
    ['metadata:x', 'metadata', /needs a key/],
    ['metadata.:x', 'metadata.', /key after the dot/],
    ['metadata."k:x', '"k:x', /closing quotation mark/],
    ['metadata.k:(a OR b)', 'metadata.k:(a OR b)', /one value/],
    ['-metadata.k:=a', '-metadata.k:=a', /Leave out the =/],
    ['-has:metadata.k', '-has:metadata.k', /cannot be selected/],
    ['scores:>0.8', 'scores', /needs a key/],
    ['scores.quality:>good', 'scores.quality:>good', /not a number/],
    ['scores.quality:(1 OR 2)', 'scores.quality:(1 OR 2)', /one of categories/],
    ['scores.mood:(a AND b)', 'scores.mood:(a AND b)', /Use OR/],
    ['scores.mood:=go*', 'scores.mood:=go*', /Stars/],
    ['-scores.mood:go*', '-scores.mood:go*', /cannot be excluded/],
    ['-scores.quality:0.5', '-scores.quality:0.5', /cannot be excluded/],
    ['name.first:x', 'name.first', /has no keys/],
    ['has:', ':', /missing/],
    ['has:colour', 'colour', /no field/],
  ]
  test.each(problems)('%s', (typed, word, message) => {
    const { errors } = compileQuery(typed)
    const [first] = errors
    expect(first?.message).toMatch(message)
    if (word !== ':') expect(typed.slice(first?.start, first?.end)).toBe(word)
    expect(errors).toHaveLength(1)
  })
  test('errors come in their order, and the rest is understood', () => {
    const { query, errors } = compileQuery('levl:x level:ERROR latency:fast')
    expect(errors.map(({ start }) => start)).toEqual([0, 19])
    expect(query.conditions).toEqual([any('level', 'ERROR')])
  })
})

describe('traces', () => {
  test('have figures of their own', () => {
    const { query, errors } = traceQueries.compileQuery('errors:>2 observations:10..20')
    expect(errors).toEqual([])
    expect(query.conditions).toEqual([
      number('errorCount', '>', 2),
      number('observationCount', '>=', 10),
      number('observationCount', '<=', 20),
    ])
    expect(compileQuery('errors:>2').errors).toHaveLength(1)
  })
  test('are bookmarked, published and commented on by people', () => {
    const flag = (column: string, value: boolean) => ({
      type: 'boolean',
      column,
      operator: '=',
      value,
    })
    const typed = 'bookmarked:true -published:true comments:>0'
    const { query, errors } = traceQueries.compileQuery(typed)
    expect(errors).toEqual([])
    expect(query.conditions).toEqual([
      flag('bookmarked', true),
      flag('public', false),
      number('commentCount', '>', 0),
    ])
    expect(traceQueries.printQuery(query)).toBe('bookmarked:true published:false comments:>0')
    expect(traceQueries.compileQuery('-has:bookmarked has:comments').query.conditions).toEqual([
      { type: 'null', column: 'bookmarked', operator: 'is null' },
      { type: 'null', column: 'commentCount', operator: 'is not null' },
    ])
    expect(compileQuery('bookmarked:true').errors).toHaveLength(1)
    expect(traceQueries.completeFields({ prefix: 'boo', isHas: false })[0]?.insert).toBe(
      'bookmarked:',
    )
  })
  test('have no observation with what is excluded', () => {
    const conditions = (typed: string) => traceQueries.compileQuery(typed).query.conditions
    expect(conditions('-ttft:>2s')).toEqual([group('not', number('timeToFirstToken', '>', 2))])
    expect(conditions('-ttft:1..2')).toEqual([
      group(
        'not',
        group('has', number('timeToFirstToken', '>=', 1), number('timeToFirstToken', '<=', 2)),
      ),
    ])
    expect(conditions('-cost:>$1')).toEqual([number('totalCost', '<=', 1)])
    expect(conditions('-end:>2026-11-01')).toEqual([
      group('not', {
        type: 'datetime',
        column: 'endTime',
        operator: '>',
        value: '2026-11-01T00:00:00.000Z',
      }),
    ])
  })
})

describe('the address', () => {
  test('is as other tools write it', () => {
    expect(encodeFilter([any('level', 'ERROR', 'WARNING')])).toBe(
      'level;stringOptions;;any of;ERROR%7CWARNING',
    )
    expect(encodeFilter([entry('a;b', '=', 'x, y')])).toBe('metadata;stringObject;a%3Bb;=;x%2C%20y')
    expect(encodeFilter([])).toBeUndefined()
  })
  test('keeps bars, commas, semicolons, percents and any script', () => {
    const odd: Condition[] = [
      any('name', 'a|b', 'c\\', '\\|', 'd,e;f%g', '天気', '😀'),
      text('userId', '=', 'x|y'),
      entry('k,;|%', 'contains', '100 %'),
    ]
    expect(decodeFilter(encodeFilter(odd) ?? '')).toEqual({ conditions: odd, unknown: [] })
  })
  test.each([
    ['level;stringOptions;;any of;ERROR|WARNING', [any('level', 'ERROR', 'WARNING')], []],
    ['name;string;;contains;100%', [text('name', 'contains', '100%')], []],
    ['level', [], ['level']],
    ['level;what;;=;x', [], ['level;what;;=;x']],
    ['latency;number;;>;fast', [], ['latency;number;;>;fast']],
    ['root;boolean;;=;perhaps', [], ['root;boolean;;=;perhaps']],
    ['startTime;datetime;;>;never', [], ['startTime;datetime;;>;never']],
    ['level;stringOptions;;any of;', [], ['level;stringOptions;;any of;']],
  ])('%s', (address, conditions, unknown) =>
    expect(decodeFilter(address)).toEqual({ conditions, unknown }),
  )
})

test('what has no words in the query bar is left out of it', () => {
  const query: Query = {
    conditions: [text('colour', '=', 'red'), any('level', 'ERROR')],
    search: '',
  }
  expect(printQuery(query)).toBe('level:ERROR')
})

test('names of fields mean one field each', () => {
  const names = fields.flatMap((field) => [
    ...new Set(
      [field.name, field.column, ...(field.aliases ?? [])].map((name) => name.toLowerCase()),
    ),
  ])
  expect(new Set(names).size).toBe(names.length)
})

test('an address says what of it means nothing here', () => {
  const known = 'level;stringOptions;;any of;ERROR'
  expect(
    queryOfAddress(
      `${known},colour;string;;=;red,scoreNames;arrayOptions;;any of;a|b,a b`,
      ' words ',
    ),
  ).toEqual({
    query: { conditions: [any('level', 'ERROR')], search: 'words' },
    unknown: ['a b', 'colour;string;;=;red', 'scoreNames;arrayOptions;;any of;a%7Cb'],
  })
})
