import { createQueryLanguage, type Field } from '@/shared/query'
import { dataTypes, sources } from '@/shared/scoring'

const field = (
  name: string,
  column: string,
  kind: Field['kind'],
  about: string,
  more?: Partial<Field>,
): Field => ({ name, column, kind, about, ...more })

/** The language of the query bar of scores. */
export const scoreQueries = createQueryLanguage([
  field('name', 'name', 'text', 'Name of the score'),
  field('value', 'value', 'number', 'A number; true is 1, false is 0', { unit: 'count' }),
  field('category', 'stringValue', 'text', 'A category, True or False, or a text', {
    aliases: ['text'],
  }),
  field('source', 'source', 'option', 'Where it comes from', {
    values: sources.map(({ id }) => id),
  }),
  field('type', 'dataType', 'option', 'Type of its value', {
    values: dataTypes.map(({ id }) => id),
  }),
  field('comment', 'comment', 'text', 'Comment'),
  field('trace', 'traceId', 'text', 'Id of the trace'),
  field('observation', 'observationId', 'text', 'Id of the observation'),
  field('session', 'sessionId', 'text', 'Id of the session'),
  field('experiment', 'experimentId', 'text', 'Id of the experiment'),
  field('env', 'environment', 'option', 'Environment'),
  field('author', 'authorUserId', 'text', 'Id of the person who gave it'),
  field('config', 'configId', 'text', 'Id of its score config'),
  field('queue', 'queueId', 'text', 'Id of the annotation queue'),
  field('id', 'id', 'text', 'Id of the score'),
])
