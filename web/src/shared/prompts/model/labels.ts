/** The label of the newest version, which the server gives. */
export const latest = 'latest'
/** The label of the version that applications get unless they ask for another. */
export const production = 'production'

/** Why a label of a prompt or skill cannot be given; undefined if it can. */
export function labelProblem(label: string): string | undefined {
  if (label === latest) return 'The newest version has the label latest by itself.'
  if (label.length > 36) return 'A label has at most 36 characters.'
  return /^[a-z0-9_\-.]+$/.test(label)
    ? undefined
    : 'A label consists of lower-case letters, digits, underscores, hyphens and dots.'
}

/** Production, the others by name, latest. */
export function byImportance(a: string, b: string): number {
  const rank = (label: string) => (label === production ? 0 : label === latest ? 2 : 1)
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0)
}

/** The labels that people give: without latest, production first. */
export function givenLabels(labels: readonly string[]): string[] {
  return labels.filter((label) => label !== latest).toSorted(byImportance)
}
