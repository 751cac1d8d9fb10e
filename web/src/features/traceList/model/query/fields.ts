import { createQueryLanguage, type Field } from '@/shared/query'

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

const field = (
  name: string,
  column: string,
  kind: Field['kind'],
  about: string,
  more?: Partial<Field>,
): Field => ({ name, column, kind, about, ...more })

/** The fields of the query bar, the most used first. */
export const fields: readonly Field[] = [
  field('level', 'level', 'option', 'Severity', { values: levels }),
  field('type', 'type', 'option', 'Type of observation', { values: observationTypes }),
  field('name', 'name', 'text', 'Name of the observation'),
  field('traceName', 'traceName', 'text', 'Name of the trace'),
  field('model', 'model', 'text', 'Model', { aliases: ['providedModelName'] }),
  field('user', 'userId', 'text', 'User'),
  field('session', 'sessionId', 'text', 'Session'),
  field('tags', 'tags', 'list', 'Tags', { aliases: ['tag', 'traceTags'] }),
  field('env', 'environment', 'option', 'Environment', { aliases: ['traceEnvironment'] }),
  field('latency', 'latency', 'number', 'Duration', { unit: 'seconds' }),
  field('cost', 'totalCost', 'number', 'US dollars', { unit: 'dollars' }),
  field('tokens', 'totalTokens', 'number', 'All tokens', { unit: 'count' }),
  field('input', 'input', 'words', 'Words in the input', { presence: 'hasInput' }),
  field('output', 'output', 'words', 'Words in the output', { presence: 'hasOutput' }),
  field('metadata', 'metadata', 'metadata', 'metadata.key:value'),
  field('scores', 'scores', 'scores', 'scores.name:>0.8, scores.name:good', { aliases: ['score'] }),
  field('status', 'statusMessage', 'text', 'Status message, for example of an error'),
  field('prompt', 'promptName', 'text', 'Name of the prompt'),
  field('promptVersion', 'promptVersion', 'number', 'Version of the prompt'),
  field('version', 'version', 'text', 'Version of the application'),
  field('release', 'release', 'text', 'Release of the application'),
  field('root', 'isRootObservation', 'boolean', 'First observation of its trace', {
    aliases: ['isRoot'],
  }),
  field('ttft', 'timeToFirstToken', 'number', 'Time to first token', { unit: 'seconds' }),
  field('tps', 'tokensPerSecond', 'number', 'Tokens per second', { unit: 'count' }),
  field('inputTokens', 'inputTokens', 'number', 'Input tokens', { unit: 'count' }),
  field('outputTokens', 'outputTokens', 'number', 'Output tokens', { unit: 'count' }),
  field('inputCost', 'inputCost', 'number', 'Cost of input', { unit: 'dollars' }),
  field('outputCost', 'outputCost', 'number', 'Cost of output', { unit: 'dollars' }),
  field('tools', 'toolNames', 'list', 'Available tools'),
  field('calledTools', 'calledToolNames', 'list', 'Called tools'),
  field('toolCalls', 'toolCalls', 'number', 'Number of tool calls'),
  field('toolDefinitions', 'toolDefinitions', 'number', 'Number of available tools'),
  field('start', 'startTime', 'time', 'When it began'),
  field('end', 'endTime', 'time', 'When it ended'),
  field('id', 'id', 'text', 'Id of the observation'),
  field('trace', 'traceId', 'text', 'Id of the trace'),
  field('parent', 'parentObservationId', 'text', 'Id of the parent'),
  field('hasParent', 'hasParentObservation', 'boolean', 'Is part of another observation'),
  field('modelId', 'modelId', 'text', 'Id of the model definition'),
  field('experiment', 'experimentName', 'text', 'Name of the experiment'),
  field('experimentId', 'experimentId', 'text', 'Id of the experiment'),
  field('dataset', 'experimentDatasetId', 'text', 'Id of the dataset'),
  field('datasetItem', 'experimentItemId', 'text', 'Id of the dataset item'),
  field(
    'experimentRoot',
    'isExperimentItemRootSpan',
    'boolean',
    'First observation of an experiment item',
  ),
  field('sdk', 'ingestionSdkName', 'text', 'SDK that sent it'),
  field('sdkVersion', 'ingestionSdkVersion', 'text', 'Version of the SDK'),
  field('source', 'ingestionSource', 'text', 'How it was sent'),
]

/** What a trace has as a whole. Anything else is looked for in its observations. */
const ofTraces = new Set([
  'traceName',
  'user',
  'session',
  'tags',
  'env',
  'latency',
  'cost',
  'tokens',
  'version',
  'release',
  'inputTokens',
  'outputTokens',
  'inputCost',
  'outputCost',
  'start',
  'trace',
  'scores',
])

/** The fields of traces. */
export const traceFields: readonly Field[] = [
  ...fields.map((each) => (ofTraces.has(each.name) ? each : { ...each, isOfObservations: true })),
  field('errors', 'errorCount', 'number', 'Number of observations with errors', { unit: 'count' }),
  field('warnings', 'warningCount', 'number', 'Number of observations with warnings', {
    unit: 'count',
  }),
  field('observations', 'observationCount', 'number', 'Number of observations', { unit: 'count' }),
  field('bookmarked', 'bookmarked', 'boolean', 'Bookmarked by somebody'),
  field('published', 'public', 'boolean', 'Open to everybody who has its URL'),
  field('comments', 'commentCount', 'number', 'Number of comments on the trace', { unit: 'count' }),
]

/** The languages of the query bars of observations and traces. */
export const observationQueries = createQueryLanguage(fields)
export const traceQueries = createQueryLanguage(traceFields)
