/** What an export selects of sessions or users whose ids have a part. */
export function ownersFilter(column: 'sessionId' | 'userId', search: string) {
  return search === ''
    ? {}
    : { filter: [{ type: 'string', column, operator: 'contains', value: search }] }
}
