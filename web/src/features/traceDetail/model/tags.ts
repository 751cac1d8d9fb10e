/** The maximum number of tags of a trace, and the maximum length of each. */
export const mostTags = 100
export const longestTag = 200

/** Tags with one more; sorted, without duplicates. A comma is part of a tag: applications send such tags, too. */
export function withTag(tags: readonly string[], typed: string): string[] {
  const tag = typed.trim()
  return [...new Set(tag === '' ? tags : [...tags, tag])].toSorted()
}

/** What is wrong with the tags. */
export function tagsProblem(tags: readonly string[]): string | undefined {
  if (tags.length > mostTags) return `At most ${mostTags} tags; these are ${tags.length}.`
  const long = tags.find((tag) => tag.length > longestTag)
  if (long !== undefined) return `At most ${longestTag} characters a tag: ${long.slice(0, 20)}…`
  return undefined
}
