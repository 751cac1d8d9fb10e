/** The export filter for sessions or users whose ids contain the search text. */
export function entitiesFilter(column: 'sessionId' | 'userId', search: string) {
  return search === ''
    ? {}
    : { filter: [{ type: 'string', column, operator: 'contains', value: search }] }
}
