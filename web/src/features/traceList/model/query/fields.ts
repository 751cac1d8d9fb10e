/** The type of a field decides what may follow its colon. */
export type FieldKind =
  | 'text' // matched by contains, begins with, ends with, equals
  | 'option' // one of a few values
  | 'list' // several short strings
  | 'number'
  | 'time'
  | 'boolean'
  | 'words' // long text, searched for words
  | 'metadata' // has keys
  | 'scores' // has names; numbers, categories, or true and false

export type Field = {
  /** The name that is offered and printed. */
  name: string
  column: string
  kind: FieldKind
  /** The description in the list of completions. */
  about: string
  aliases?: readonly string[]
  /** The options, if they do not depend on the project. */
  values?: readonly string[]
  /** The unit that numbers may be written with: 2s, $0.01, 10k. */
  unit?: 'seconds' | 'dollars' | 'count'
  /** The boolean column that says whether there is a value, where the column itself cannot. */
  presence?: string
}

export const observationTypes = [
  'SPAN',
  'GENERATION',
  'EVENT',
  'AGENT',
  'TOOL',
  'CHAIN',
  'RETRIEVER',
  'EVALUATOR',
  'EMBEDDING',
  'GUARDRAIL',
] as const

export const levels = ['DEBUG', 'DEFAULT', 'WARNING', 'ERROR'] as const

/** The fields of the query bar, the most used first. */
export const fields: readonly Field[] = [
  { name: 'level', column: 'level', kind: 'option', about: 'Severity', values: levels },
  { name: 'type', column: 'type', kind: 'option', about: 'Kind of step', values: observationTypes },
  { name: 'name', column: 'name', kind: 'text', about: 'Name of the observation' },
  { name: 'traceName', column: 'traceName', kind: 'text', about: 'Name of the trace' },
  { name: 'model', column: 'model', kind: 'text', about: 'Model', aliases: ['providedModelName'] },
  { name: 'user', column: 'userId', kind: 'text', about: 'User' },
  { name: 'session', column: 'sessionId', kind: 'text', about: 'Session' },
  { name: 'tags', column: 'tags', kind: 'list', about: 'Tags', aliases: ['tag', 'traceTags'] },
  {
    name: 'env',
    column: 'environment',
    kind: 'option',
    about: 'Environment',
    aliases: ['traceEnvironment'],
  },
  { name: 'latency', column: 'latency', kind: 'number', about: 'Duration', unit: 'seconds' },
  { name: 'cost', column: 'totalCost', kind: 'number', about: 'US dollars', unit: 'dollars' },
  { name: 'tokens', column: 'totalTokens', kind: 'number', about: 'All tokens', unit: 'count' },
  {
    name: 'input',
    column: 'input',
    kind: 'words',
    about: 'Words in the input',
    presence: 'hasInput',
  },
  {
    name: 'output',
    column: 'output',
    kind: 'words',
    about: 'Words in the output',
    presence: 'hasOutput',
  },
  { name: 'metadata', column: 'metadata', kind: 'metadata', about: 'metadata.key:value' },
  {
    name: 'scores',
    column: 'scores',
    kind: 'scores',
    about: 'scores.name:>0.8, scores.name:good',
    aliases: ['score'],
  },
  {
    name: 'status',
    column: 'statusMessage',
    kind: 'text',
    about: 'Status message, for example of an error',
  },
  { name: 'prompt', column: 'promptName', kind: 'text', about: 'Name of the prompt' },
  {
    name: 'promptVersion',
    column: 'promptVersion',
    kind: 'number',
    about: 'Version of the prompt',
  },
  { name: 'version', column: 'version', kind: 'text', about: 'Version of the application' },
  { name: 'release', column: 'release', kind: 'text', about: 'Release of the application' },
  {
    name: 'root',
    column: 'isRootObservation',
    kind: 'boolean',
    about: 'First observation of its trace',
    aliases: ['isRoot'],
  },
  {
    name: 'ttft',
    column: 'timeToFirstToken',
    kind: 'number',
    about: 'Time to first token',
    unit: 'seconds',
  },
  {
    name: 'tps',
    column: 'tokensPerSecond',
    kind: 'number',
    about: 'Tokens per second',
    unit: 'count',
  },
  {
    name: 'inputTokens',
    column: 'inputTokens',
    kind: 'number',
    about: 'Input tokens',
    unit: 'count',
  },
  {
    name: 'outputTokens',
    column: 'outputTokens',
    kind: 'number',
    about: 'Output tokens',
    unit: 'count',
  },
  {
    name: 'inputCost',
    column: 'inputCost',
    kind: 'number',
    about: 'Cost of input',
    unit: 'dollars',
  },
  {
    name: 'outputCost',
    column: 'outputCost',
    kind: 'number',
    about: 'Cost of output',
    unit: 'dollars',
  },
  { name: 'tools', column: 'toolNames', kind: 'list', about: 'Available tools' },
  { name: 'calledTools', column: 'calledToolNames', kind: 'list', about: 'Called tools' },
  { name: 'toolCalls', column: 'toolCalls', kind: 'number', about: 'Number of tool calls' },
  {
    name: 'toolDefinitions',
    column: 'toolDefinitions',
    kind: 'number',
    about: 'Number of available tools',
  },
  { name: 'start', column: 'startTime', kind: 'time', about: 'When it began' },
  { name: 'end', column: 'endTime', kind: 'time', about: 'When it ended' },
  { name: 'id', column: 'id', kind: 'text', about: 'Id of the observation' },
  { name: 'trace', column: 'traceId', kind: 'text', about: 'Id of the trace' },
  { name: 'parent', column: 'parentObservationId', kind: 'text', about: 'Id of the parent' },
  {
    name: 'hasParent',
    column: 'hasParentObservation',
    kind: 'boolean',
    about: 'Is part of another observation',
  },
  { name: 'modelId', column: 'modelId', kind: 'text', about: 'Id of the model definition' },
  { name: 'experiment', column: 'experimentName', kind: 'text', about: 'Name of the experiment' },
  { name: 'experimentId', column: 'experimentId', kind: 'text', about: 'Id of the experiment' },
  { name: 'dataset', column: 'experimentDatasetId', kind: 'text', about: 'Id of the dataset' },
  {
    name: 'datasetItem',
    column: 'experimentItemId',
    kind: 'text',
    about: 'Id of the dataset item',
  },
  {
    name: 'experimentRoot',
    column: 'isExperimentItemRootSpan',
    kind: 'boolean',
    about: 'First observation of an experiment item',
  },
  { name: 'sdk', column: 'ingestionSdkName', kind: 'text', about: 'SDK that sent it' },
  { name: 'sdkVersion', column: 'ingestionSdkVersion', kind: 'text', about: 'Version of the SDK' },
  { name: 'source', column: 'ingestionSource', kind: 'text', about: 'How it was sent' },
]

/** The column with the names of a row's scores. */
export const scoreNames = 'scoreNames'

const byName = new Map<string, Field>()
for (const field of fields)
  for (const name of [field.name, field.column, ...(field.aliases ?? [])])
    if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), field)
const byColumn = new Map<string, Field>()
for (const field of fields)
  for (const name of [field.column, ...(field.aliases ?? [])]) byColumn.set(name, field)

/** The field with a name or alias, ignoring case. */
export function fieldNamed(name: string): Field | undefined {
  return byName.get(name.toLowerCase())
}

/** The field for a column of the server. */
export function fieldOfColumn(column: string): Field | undefined {
  return byColumn.get(column)
}

/** Whether a field needs a key, as in metadata.key. */
export function isKeyed(field: Field): boolean {
  return field.kind === 'metadata' || field.kind === 'scores'
}

/** The name of a field with a similar spelling, if there is one. */
export function similarField(name: string): string | undefined {
  const wanted = name.toLowerCase()
  let best: { name: string; distance: number } | undefined
  for (const [known, field] of byName) {
    const distance = known.startsWith(wanted) ? 1 : editDistance(wanted, known)
    if (distance <= 2 && distance < known.length && (!best || distance < best.distance))
      best = { name: field.name, distance }
  }
  return best?.name
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
