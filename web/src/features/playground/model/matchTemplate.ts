import { variablesOf } from '@/shared/editor'

/**
 * The values with which a template becomes a text: one solution, none, or several, in which case nobody can say which
 * values were used.
 */
export type Match = { kind: 'one'; values: Record<string, string> } | { kind: 'none' | 'several' }

/** A template and the text that it may have become. */
export type Pair = { template: string; text: string }

type Piece = { name: string; /** The text after the variable. */ after: string }
type Cut = { before: string; pieces: Piece[]; text: string }

/** So many positions are tried; a template that needs more is taken to be ambiguous. */
const mostSteps = 200_000

/**
 * Finds the values of the variables in several templates, which have the same value in all of them. A variable is
 * anything, also nothing; the text between variables must be there exactly.
 */
export function matchTemplates(pairs: readonly Pair[]): Match {
  const cuts = pairs.map(cut)
  let steps = 0
  let first: Record<string, string> | undefined
  let isAmbiguous = false
  const values: Record<string, string> = {}

  /** Whether the search is over. */
  const solve = (index: number, piece: number, at: number): boolean => {
    if (++steps > mostSteps) {
      isAmbiguous = true
      return true
    }
    const current = cuts[index]
    if (!current) {
      if (first) isAmbiguous = true
      else first = { ...values }
      return isAmbiguous
    }
    const { pieces, text } = current
    if (piece === 0 && at === 0) {
      if (!text.startsWith(current.before)) return false
      if (pieces.length === 0)
        return text.length === current.before.length && solve(index + 1, 0, 0)
      return tryPiece(index, 0, current.before.length)
    }
    return tryPiece(index, piece, at)
  }

  const tryPiece = (index: number, piece: number, at: number): boolean => {
    const { pieces, text } = cuts[index] as Cut
    const { name, after } = pieces[piece] as Piece
    const isLast = piece === pieces.length - 1
    const isKnown = Object.hasOwn(values, name)
    const go = (end: number): boolean => {
      const value = text.slice(at, end)
      if (isKnown && values[name] !== value) return false
      values[name] = value
      const next = end + after.length
      const isOver = isLast ? solve(index + 1, 0, 0) : tryNext(index, piece + 1, next)
      if (!isKnown) delete values[name]
      return isOver
    }
    if (isLast) {
      const end = text.length - after.length
      return end >= at && text.endsWith(after) && go(end)
    }
    if (isKnown) {
      const end = at + (values[name] as string).length
      return text.startsWith(values[name] as string, at) && text.startsWith(after, end) && go(end)
    }
    for (let end = text.indexOf(after, at); end >= 0; end = text.indexOf(after, end + 1)) {
      if (++steps > mostSteps) isAmbiguous = true
      if (isAmbiguous || go(end)) return true
      if (end === text.length) break
    }
    return isAmbiguous
  }

  const tryNext = (index: number, piece: number, at: number): boolean => {
    if (++steps > mostSteps) {
      isAmbiguous = true
      return true
    }
    return tryPiece(index, piece, at)
  }

  solve(0, 0, 0)
  if (isAmbiguous) return { kind: 'several' }
  return first ? { kind: 'one', values: first } : { kind: 'none' }
}

function cut({ template, text }: Pair): Cut {
  const found = variablesOf(template)
  const pieces = found.map(({ name, to }, index) => ({
    name,
    after: template.slice(to, found[index + 1]?.from),
  }))
  return { before: template.slice(0, found[0]?.from), pieces, text }
}
