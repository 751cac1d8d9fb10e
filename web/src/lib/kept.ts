/**
 * State that a page keeps in its history entry: it is restored by Back and by a reload, and lost with the entry.
 * Anything that others should see belongs in the URL.
 */
export function readKept<T>(name: string): T | undefined {
  return (keptOf(history.state)[name] as T | undefined) ?? undefined
}

export function keep(name: string, value: unknown): void {
  const state = { ...history.state, kept: { ...keptOf(history.state), [name]: value } }
  // Bypasses the router, which takes calls on its own history for navigation.
  History.prototype.replaceState.call(history, state, '')
}

function keptOf(state: unknown): Record<string, unknown> {
  return (state as { kept?: Record<string, unknown> } | null)?.kept ?? {}
}
