import { Json, type JsonDocument } from './json'
import { pathOf } from './path'

/**
 * A value of a shortened text in the whole text. What was cut is at the end of the text or of strings in it, so values
 * have the same numbers in both.
 */
export function wholeValue(cut: JsonDocument, node: number, text: string): Json {
  const root = Json.parse(text)
  if (
    !root ||
    node >= root.document.index.count ||
    pathOf(root.document, node) !== pathOf(cut, node)
  )
    throw new Error('It has changed in the meantime. Reload the page to see it as it is now.')
  return new Json(root.document, node)
}
