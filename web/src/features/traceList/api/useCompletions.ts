import {
  completeFields,
  completeKnownValues,
  insertValue,
  suggestedColumn,
  type Completing,
  type Completion,
} from '../model/query/complete'
import { useSuggestions } from './useSuggestions'

const most = 12

/** The completions at the caret: fields, operators, and values that occur in the project. */
export function useCompletions(projectId: string, at: Completing | undefined): Completion[] {
  const column = at && suggestedColumn(at)
  const suggestions = useSuggestions(projectId, column, at?.prefix ?? '')
  if (!at) return []
  if (at.kind === 'field') return completeFields(at).slice(0, most)
  const known = at.kind === 'value' ? completeKnownValues(at) : []
  const real =
    column !== undefined && suggestions.data?.column === column ? suggestions.data.values : []
  return [
    ...known,
    ...real
      .filter(({ value }) => value.toLowerCase().startsWith(at.prefix.toLowerCase()))
      .map(({ value, count }): Completion => ({
        id: `value-${value}`,
        label: value,
        insert: insertValue(at, value),
        count,
      })),
  ]
}
