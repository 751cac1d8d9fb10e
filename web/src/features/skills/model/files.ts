import type { PublicComponents } from '@/shared/api'

export type Skill = PublicComponents['schemas']['Skill']
export type SkillFile = Skill['files'][number]

/** A file while a version is written. One whose content has not changed is sent as its hash. */
export type EditedFile = { id: string; path: string; content: string; stored?: StoredFile }

type StoredFile = { content: string; hash: string }

let last = 0

export function newFile(path: string, content = '', hash?: string): EditedFile {
  last += 1
  return { id: `f${last}`, path, content, ...(hash !== undefined && { stored: { content, hash } }) }
}

export const mainFile = 'SKILL.md'

export const firstFiles = (): EditedFile[] => [
  newFile(
    mainFile,
    '---\nname: my-skill\ndescription: What it is for, and when to use it.\n---\n\n# My skill\n\n',
  ),
]

/** SKILL.md first, then by path. */
export function sortedFiles<F extends { path: string }>(files: readonly F[]): F[] {
  const rank = (path: string) => (path === mainFile ? 0 : 1)
  return files.toSorted(
    (a, b) => rank(a.path) - rank(b.path) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0),
  )
}

export type SkillRequest = {
  files: ({ path: string; content: string } | { path: string; sha256Hash: string })[]
  commitMessage: string | null
}

export function requestOf(files: readonly EditedFile[], commitMessage: string): SkillRequest {
  return {
    files: files.map(({ path, content, stored }) =>
      stored?.content === content
        ? { path: path.trim(), sha256Hash: stored.hash }
        : { path: path.trim(), content },
    ),
    commitMessage: commitMessage.trim() === '' ? null : commitMessage.trim(),
  }
}

const maxFiles = 200
const maxFileBytes = 1_048_576

/** What is wrong with the files, by id; under '' what concerns all of them. */
export function problemsOf(files: readonly EditedFile[]): ReadonlyMap<string, string> {
  const problems = new Map<string, string>()
  const seen = new Set<string>()
  for (const { id, path, content } of files) {
    const name = path.trim()
    const problem = seen.has(name)
      ? 'Another file has this path.'
      : (pathProblem(name) ??
        (new Blob([content]).size > maxFileBytes ? 'A file has at most 1 MB.' : undefined))
    if (problem !== undefined) problems.set(id, problem)
    seen.add(name)
  }
  if (!seen.has(mainFile)) problems.set('', `A skill needs a file ${mainFile}.`)
  if (files.length > maxFiles) problems.set('', `A skill has at most ${maxFiles} files.`)
  return problems
}

function pathProblem(path: string): string | undefined {
  if (path === '') return 'A file needs a path.'
  if (path.length > 500) return 'A path has at most 500 characters.'
  const parts = path.split('/')
  return /[\\:]/.test(path) || parts.some((part) => part === '' || part === '.' || part === '..')
    ? 'A path is relative to the skill, with single slashes, without “.”, “..”, backslashes and colons.'
    : undefined
}

export function isChanged(files: readonly EditedFile[], start: readonly EditedFile[]): boolean {
  return (
    files !== start &&
    (files.length !== start.length ||
      files.some((file, at) => {
        const before = start[at]
        return file.path !== before?.path || file.content !== before.content
      }))
  )
}
