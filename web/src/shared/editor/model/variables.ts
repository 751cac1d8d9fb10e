import type { Problem } from './problem'

/** A {{variable}} of a template, with the place of the whole, braces included. */
export type Variable = { name: string; from: number; to: number }

/** A variable begins with a letter, followed by letters, digits and underscores; spaces inside the braces do not count. */
export const variablePattern = /\{\{\s*([A-Za-z]\w*)\s*\}\}/g

/** The variables of a text, in order. */
export function variablesOf(text: string): Variable[] {
  return Array.from(text.matchAll(variablePattern), (match) => ({
    name: match[1] ?? '',
    from: match.index,
    to: match.index + match[0].length,
  }))
}

/** The names of the variables of a text, each once, in order. */
export function variableNames(text: string): string[] {
  return [...new Set(variablesOf(text).map(({ name }) => name))]
}

/** The variables that are none of the given ones. */
export function unknownVariables(text: string, known: readonly string[]): Problem[] {
  return variablesOf(text)
    .filter(({ name }) => !known.includes(name))
    .map(({ name, from, to }) => ({
      from,
      to,
      message: `There is no variable “${name}”. ${
        known.length === 0 ? 'There are none here.' : `There are ${known.join(', ')}.`
      }`,
    }))
}
