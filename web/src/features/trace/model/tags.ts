/** How many tags people can give to a trace, and how long each is at most. */
export const mostTags = 100
export const longestTag = 200

/** Tags as they are typed: with commas or line ends between them, in order and once. */
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
