import { textOfValue } from './variables'

/** An item of a dataset as a row of variables. */
export type DatasetRow = {
  id: string
  values: Record<string, string>
  /** What the item says the answer should be, as text. */
  expected: string
  /** Why the row cannot be run. */
  problem?: string
}

export const mostRows = 10

type DatasetItem = { id: string; input: unknown; expectedOutput: unknown }

/**
 * The variables of an item: the members of its input that have their names, or the whole input if there is only one
 * variable. Those that it lacks have the values of the fields.
 */
export function rowOf(
  item: DatasetItem,
  names: readonly string[],
  fields: Record<string, string>,
): DatasetRow {
  const { input } = item
  const members =
    typeof input === 'object' && input !== null && !Array.isArray(input)
      ? (input as Record<string, unknown>)
      : {}
  const own = names.filter((name) => Object.hasOwn(members, name))
  const [only] = names
  const values: Record<string, string> =
    own.length > 0
      ? Object.fromEntries(own.map((name) => [name, textOfValue(members[name])]))
      : names.length === 1 && only !== undefined
        ? { [only]: textOfValue(input) }
        : {}
  return {
    id: item.id,
    values: { ...fields, ...values },
    expected: item.expectedOutput === null ? '' : textOfValue(item.expectedOutput),
    ...(names.length > 0 &&
      Object.keys(values).length === 0 && { problem: 'Its input has none of the variables.' }),
  }
}
