/** Something wrong with a text, and the place it refers to: from `from` up to, but not including, `to`. */
export type Problem = { from: number; to: number; message: string }

/** The line of a place in a text, counted from 1. */
export function lineAt(text: string, at: number): number {
  let line = 1
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1))
    line += 1
  return line
}
