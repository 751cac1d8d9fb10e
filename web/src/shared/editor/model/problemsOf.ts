import { jsonSyntaxProblem } from './jsonSyntax'
import type { Problem } from './problem'
import { schemaProblems, type JsonSchema } from './schemaProblems'
import { unknownVariables } from './variables'

/** The language of a text, and what it is checked against. */
export type EditorMode =
  | {
      kind: 'template'
      /** The variables that are offered. */
      variables?: readonly string[]
      /** Whether there are no others. */
      isClosed?: boolean
    }
  | { kind: 'json'; schema?: JsonSchema }
  | { kind: 'text' }

/** Longer texts are not checked while they are edited. */
export const longestChecked = 500_000

/** What is wrong with a text. An empty text is not wrong: whether it is needed is up to the form. */
export function problemsOf(text: string, mode: EditorMode): Problem[] {
  if (text.length > longestChecked || text.trim() === '') return []
  switch (mode.kind) {
    case 'text':
      return []
    case 'template':
      return mode.isClosed ? unknownVariables(text, mode.variables ?? []) : []
    case 'json': {
      const syntax = jsonSyntaxProblem(text)
      if (syntax) return [syntax]
      return mode.schema === undefined ? [] : schemaProblems(text, mode.schema)
    }
  }
}
