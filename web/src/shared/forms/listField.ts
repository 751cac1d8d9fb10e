/** A list of entries in a form. */
export type ListField<E> = {
  /** The entries, each with a key that stays while it is moved and changed. */
  items: { key: number; value: E }[]
  add: (value: E) => void
  remove: (at: number) => void
  change: (at: number, value: E) => void
  move: (from: number, to: number) => void
  /** What is wrong with a field of an entry. */
  errorAt: (at: number, field: string) => string | undefined
}

/** A list with one entry elsewhere. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const next = [...items]
  const [item] = next.splice(from, 1)
  if (item !== undefined) next.splice(to, 0, item)
  return next
}
