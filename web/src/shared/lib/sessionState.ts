/**
 * State in memory that belongs to the signed-in user. It survives navigation, but not the session: whoever signs in next
 * in this tab must not see it. All modules keep such state in one of these.
 */
const forgetters: (() => void)[] = []

/** A map that is emptied when the session ends. */
export function sessionMap<K, V>(): Map<K, V> {
  const map = new Map<K, V>()
  forgetters.push(() => map.clear())
  return map
}

let end: 'left' | 'ended' | undefined

/** The user signs out. */
export function leaveSession(): void {
  end = 'left'
}

/** The session of the user of this tab has begun, or is over. */
export function noteSession(isOpen: boolean): void {
  end = isOpen ? undefined : (end ?? 'ended')
}

/** Whether the session of this tab ended without its user signing out. */
export function hasSessionEnded(): boolean {
  return end === 'ended'
}

/** Calls a function when the session ends. */
export function onSessionEnd(forget: () => void): void {
  forgetters.push(forget)
}

/** Forgets everything that belongs to the session. */
export function endSessionState(): void {
  for (const forget of forgetters) forget()
}
