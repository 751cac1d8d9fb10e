import { createQueryLanguage, type Field } from '@/shared/query'

const field = (
  name: string,
  column: string,
  kind: Field['kind'],
  about: string,
  more?: Partial<Field>,
): Field => ({ name, column, kind, about, ...more })

/** What one of the observations has. A minus means that none has it. */
const ofObservations: Field[] = [
  field('level', 'level', 'option', 'Severity of an observation', {
    values: ['DEBUG', 'DEFAULT', 'WARNING', 'ERROR'],
  }),
  field('name', 'name', 'text', 'Name of an observation'),
  field('traceName', 'traceName', 'text', 'Name of a trace'),
  field('model', 'model', 'text', 'Model of an observation'),
  field('tags', 'tags', 'list', 'Tags of a trace', { aliases: ['tag'] }),
  field('env', 'environment', 'option', 'Environment of an observation'),
  field('version', 'version', 'text', 'Version of the application'),
  field('release', 'release', 'text', 'Release of the application'),
  field('input', 'input', 'words', 'Words in an input', { presence: 'hasInput' }),
  field('output', 'output', 'words', 'Words in an output', { presence: 'hasOutput' }),
  field('metadata', 'metadata', 'metadata', 'metadata.key:value'),
].map((each) => ({ ...each, isOfObservations: true }))

/** What sessions and users have as a whole. */
const figures: Field[] = [
  field('cost', 'totalCost', 'number', 'US dollars', { unit: 'dollars' }),
  field('tokens', 'totalTokens', 'number', 'All tokens', { unit: 'count' }),
  field('errors', 'errorCount', 'number', 'Number of observations with errors', { unit: 'count' }),
  field('traces', 'traceCount', 'number', 'Number of traces', { unit: 'count' }),
  field('observations', 'observationCount', 'number', 'Number of observations', { unit: 'count' }),
  field('duration', 'duration', 'number', 'From the first start to the last end', {
    unit: 'seconds',
  }),
  field('lastSeen', 'lastSeen', 'time', 'When the last observation began'),
  field('firstSeen', 'firstSeen', 'time', 'When the first observation began'),
  field('scores', 'scores', 'scores', 'scores.name:>0.8, scores.name:good', { aliases: ['score'] }),
  field('inputTokens', 'inputTokens', 'number', 'Input tokens', { unit: 'count' }),
  field('outputTokens', 'outputTokens', 'number', 'Output tokens', { unit: 'count' }),
  field('inputCost', 'inputCost', 'number', 'Cost of input', { unit: 'dollars' }),
  field('outputCost', 'outputCost', 'number', 'Cost of output', { unit: 'dollars' }),
]

/** The languages of the query bars of sessions and users. */
export const entityQueries = {
  sessions: createQueryLanguage([
    field('user', 'userId', 'text', 'User of an observation', { isOfObservations: true }),
    ...figures,
    ...ofObservations,
    field('id', 'sessionId', 'text', 'Id of the session', { aliases: ['session'] }),
  ]),
  users: createQueryLanguage([
    ...figures,
    field('sessions', 'sessionCount', 'number', 'Number of sessions', { unit: 'count' }),
    field('session', 'sessionId', 'text', 'Session of an observation', { isOfObservations: true }),
    ...ofObservations,
    field('id', 'userId', 'text', 'Id of the user', { aliases: ['user'] }),
  ]),
}

export type EntityTable = keyof typeof entityQueries
