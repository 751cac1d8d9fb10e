/** The maximum number of tags of a trace, and the maximum length of each. */
export const mostTags = 100
export const longestTag = 200

/** Reads tags separated by commas or newlines; sorted, without duplicates. */
export function parseTags(text: string): string[] {
  const tags = text
    .split(/[,\n]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  return [...new Set(tags)].toSorted()
}

/** What is wrong with the tags. */
export function tagsProblem(tags: readonly string[]): string | undefined {
  if (tags.length > mostTags) return `At most ${mostTags} tags; these are ${tags.length}.`
  const long = tags.find((tag) => tag.length > longestTag)
  if (long !== undefined) return `At most ${longestTag} characters a tag: ${long.slice(0, 20)}…`
  return undefined
}
