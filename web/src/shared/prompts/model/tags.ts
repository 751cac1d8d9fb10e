/** The limits of the server. */
const maxTags = 100
const maxTagLength = 255

/** Tags, and one that was typed and not added. */
export type Tags = { chosen: readonly string[]; typed: string }

/** Tags with what was typed and not added. */
export function withTag(tags: readonly string[], typed: string): string[] {
  const tag = typed.trim()
  return tag === '' || tags.includes(tag) ? [...tags] : [...tags, tag]
}

export function tagsProblem(tags: readonly string[]): string | undefined {
  if (tags.some((tag) => tag.length > maxTagLength))
    return `A tag has at most ${maxTagLength} characters.`
  if (tags.length > maxTags) return `A prompt has at most ${maxTags} tags.`
  return undefined
}
