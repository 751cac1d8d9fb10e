import type { WireTree } from './wire'

/** Whether two answers have the same content. Both are the server's, whatever their static types say. */
export function isSameTree(before: unknown, now: unknown): boolean {
  if (!isTree(before) || !isTree(now)) return false
  const columns = Object.keys(now.columns) as (keyof WireTree['columns'])[]
  return (
    before.total === now.total &&
    JSON.stringify(before.trace) === JSON.stringify(now.trace) &&
    JSON.stringify(before.dictionary) === JSON.stringify(now.dictionary) &&
    columns.every((name) => isSameList(before.columns[name], now.columns[name]))
  )
}

function isTree(value: unknown): value is WireTree {
  return typeof value === 'object' && value !== null && 'columns' in value
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at])
}
