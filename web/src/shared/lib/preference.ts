import { useSyncExternalStore } from 'react'

/** A choice that a user has made for this browser: theme, density, time zone, whether the rail is folded. */
export type Preference<T extends string> = {
  get: () => T
  set: (value: T) => void
  subscribe: (listener: () => void) => () => void
}

/** A preference kept in local storage. Invalid values count as the first one. */
export function createPreference<T extends string>(
  name: string,
  values: readonly [T, ...T[]],
): Preference<T> {
  const key = `almanac.${name}`
  const listeners = new Set<() => void>()
  const read = (): T => {
    const stored = readStored(key)
    return values.find((value) => value === stored) ?? values[0]
  }
  let current = read()
  return {
    get: () => current,
    set: (value) => {
      current = value
      writeStored(key, value)
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function usePreference<T extends string>(preference: Preference<T>): T {
  return useSyncExternalStore(preference.subscribe, preference.get)
}

/** Storage may be switched off; then nothing is remembered. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Remembered until the page is closed, which is the best that can be done.
  }
}
