/**
 * What the queries of a project are about. Every key of a query begins with one of these, so that a change refreshes
 * what it changed and nothing else.
 */
export type ProjectScope =
  | 'rows' // the lists of traces and observations, with their counts, facets, groups and histograms
  | 'trace' // one trace: its tree, details, texts and log
  | 'entities' // sessions and users: lists, totals and what belongs to one
  | 'scores'
  | 'metrics'
  | 'comments'
  | 'environments'
  | 'idLookup'
  | 'media'
  | 'apiKeys'
  | 'auditLog'
  | 'blobStorage'
  | 'connections'
  | 'datasets'
  | 'experiments' // lists of experiments and comparisons
  | 'exports'
  | 'jobs'
  | 'members'
  | 'models'
  | 'placeholders'
  | 'playground' // models, tools, schemas and saved playgrounds
  | 'prompts' // prompts and skills: lists, versions, contents, labels, what was deleted
  | 'queues' // annotation queues and their items
  | 'reviews' // the item of a queue that the user has open
  | 'savedViews'
  | 'scoreConfigs'
  | 'usage' // limits, what is used of them, and what is stored

export type OrganizationScope = 'apiKeys' | 'auditLog' | 'invitations' | 'members' | 'usage'

export type QueryKey = readonly unknown[]

/** The key of a query of a project, or of all queries of a scope. */
export function projectKey(projectId: string, scope: ProjectScope, ...rest: unknown[]): QueryKey {
  return ['project', projectId, scope, ...rest]
}

/** The key of a query about a trace, or of all of them. */
export function traceKey(projectId: string, traceId: string, ...rest: unknown[]): QueryKey {
  return projectKey(projectId, 'trace', traceId, ...rest)
}

export function organizationKey(
  organizationId: string,
  scope: OrganizationScope,
  ...rest: unknown[]
): QueryKey {
  return ['organization', organizationId, scope, ...rest]
}

/** Who is signed in. It is refetched after changes to names, roles or projects. */
export const sessionKey: QueryKey = ['session']

/** What the user is told. */
export const inboxKey: QueryKey = ['inbox']

/** Where a score is seen. */
export const scopesOfScores: readonly ProjectScope[] = [
  'scores',
  'rows',
  'trace',
  'entities',
  'metrics',
]

/** Where a trace is seen. */
export const scopesOfTraces: readonly ProjectScope[] = [
  ...scopesOfScores,
  'comments',
  'environments',
  'idLookup',
]
