import { createContext, useContext } from 'react'

const Found = createContext('')

/** Says what the user searches for to the viewers inside, which bring the first match into sight. */
export const FoundText = Found.Provider

/** What the user searches for around this viewer; empty if nothing. */
export function useFoundText(): string {
  return useContext(Found)
}

/** Lower case for ASCII letters only, like the server's search, so that places stay the same. */
export function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]+/gu, (letters) => letters.toLowerCase())
}
