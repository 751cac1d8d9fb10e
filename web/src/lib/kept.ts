/**
 * What a page keeps with its entry of the history: it is there again after Back and after a reload, and gone with the entry. The
 * address has what others are to see.
 */
export function readKept<T>(name: string): T | undefined {
  return (keptOf(history.state)[name] as T | undefined) ?? undefined
}

export function keep(name: string, value: unknown): void {
  const state = { ...history.state, kept: { ...keptOf(history.state), [name]: value } }
  // Past the router, which takes what is done to its own history for navigation.
  History.prototype.replaceState.call(history, state, '')
}

function keptOf(state: unknown): Record<string, unknown> {
  return (state as { kept?: Record<string, unknown> } | null)?.kept ?? {}
}
