export type Member = { id: string; name: string }

/** A comment as the user types it, with the members mentioned in it by name. */
export type Draft = { text: string; mentioned: readonly Member[] }

const stored = /@\[([^\]\n]{1,200})\]\(user:([^)\s]{1,200})\)/g

/** The text typed after an @ up to the caret, if there is one. */
export function mentionAt(
  text: string,
  caret: number,
): { from: number; query: string } | undefined {
  const found = /(?:^|\s)@([^\s@]{0,50})$/.exec(text.slice(0, caret))
  const query = found?.[1]
  return query === undefined ? undefined : { from: caret - query.length - 1, query }
}

/** The members whose names contain the query, those that begin with it first. */
export function matching(members: readonly Member[], query: string, most = 6): Member[] {
  const wanted = query.toLocaleLowerCase()
  const ranked = members.flatMap((member) => {
    const at = member.name.toLocaleLowerCase().indexOf(wanted)
    return at < 0 ? [] : [{ member, rank: at === 0 ? 0 : 1 }]
  })
  return ranked
    .toSorted((a, b) => a.rank - b.rank || a.member.name.localeCompare(b.member.name))
    .slice(0, most)
    .map(({ member }) => member)
}

/** Replaces the typed query with a member. */
export function withMention(
  { text, mentioned }: Draft,
  from: number,
  caret: number,
  member: Member,
): Draft & { caret: number } {
  const name = plain(member.name)
  const before = `${text.slice(0, from)}@${name} `
  return {
    text: before + text.slice(caret).replace(/^ /, ''),
    mentioned: [...mentioned.filter(({ id }) => id !== member.id), { id: member.id, name }],
    caret: before.length,
  }
}

/** The text to store: `@[Name](user:id)` for everybody who is still mentioned. */
export function toStored({ text, mentioned }: Draft): string {
  // Longer names first: "@Ann Lee" is not "@Ann".
  const byLength = mentioned.toSorted((a, b) => b.name.length - a.name.length)
  if (byLength.length === 0) return text
  const names = byLength.map(({ name }) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return text.replaceAll(new RegExp(`@(${names.join('|')})`, 'g'), (whole, name: string) => {
    const member = byLength.find((each) => each.name === name)
    return member ? `@[${name}](user:${member.id})` : whole
  })
}

/** The stored text as a draft to edit. */
export function fromStored(content: string): Draft {
  const mentioned = new Map<string, Member>()
  const text = content.replaceAll(stored, (_, name: string, id: string) => {
    mentioned.set(id, { id, name })
    return `@${name}`
  })
  return { text, mentioned: [...mentioned.values()] }
}

/** The stored text as Markdown with mentions highlighted. */
export function shown(content: string): string {
  return content.replaceAll(
    stored,
    (_, name: string) => `**@${name.replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`)}**`,
  )
}

/** A name without the characters that would end it in the stored form. */
function plain(name: string): string {
  return name.replaceAll(/[[\]\n]/g, ' ').trim()
}
