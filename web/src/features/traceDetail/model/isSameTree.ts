import type { WireTree } from './wire'

/** Whether two responses have the same content. */
export function isSameTree(before: WireTree, now: WireTree): boolean {
  const columns = Object.keys(now.columns) as (keyof WireTree['columns'])[]
  return (
    before.total === now.total &&
    JSON.stringify(before.trace) === JSON.stringify(now.trace) &&
    JSON.stringify(before.dictionary) === JSON.stringify(now.dictionary) &&
    columns.every((name) => isSameList(before.columns[name], now.columns[name]))
  )
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at])
}
