import type { PublicComponents } from '@/shared/api'

export type KeyPermission = PublicComponents['schemas']['Permission']

/** The permissions that a project's key can have, by subject. */
export const permissionGroups: readonly {
  subject: string
  permissions: readonly { id: KeyPermission; label: string }[]
}[] = [
  {
    subject: 'Traces',
    permissions: [
      { id: 'traces:read', label: 'Read' },
      { id: 'traces:write', label: 'Send' },
      { id: 'traces:delete', label: 'Delete' },
      { id: 'traces:publish', label: 'Publish' },
    ],
  },
  {
    subject: 'Scores',
    permissions: [
      { id: 'scores:read', label: 'Read' },
      { id: 'scores:write', label: 'Write' },
      { id: 'scores:delete', label: 'Delete' },
    ],
  },
  {
    subject: 'Prompts',
    permissions: [
      { id: 'prompts:read', label: 'Read' },
      { id: 'prompts:write', label: 'Write' },
      { id: 'prompts:delete', label: 'Delete' },
    ],
  },
  {
    subject: 'Datasets',
    permissions: [
      { id: 'datasets:read', label: 'Read' },
      { id: 'datasets:write', label: 'Write' },
      { id: 'datasets:delete', label: 'Delete' },
    ],
  },
  {
    subject: 'Comments',
    permissions: [
      { id: 'comments:read', label: 'Read' },
      { id: 'comments:write', label: 'Write' },
    ],
  },
  {
    subject: 'Project',
    permissions: [
      { id: 'project:admin', label: 'Manage models, connections and dashboards' },
      { id: 'feedback:write', label: 'Send feedback on the API' },
    ],
  },
]

export const allPermissions: readonly KeyPermission[] = permissionGroups.flatMap((group) =>
  group.permissions.map((permission) => permission.id),
)

export type Access = 'all' | 'send' | 'read' | 'chosen'

/** Common sets of permissions. */
export const accessOptions: readonly { id: Access; label: string; description: string }[] = [
  { id: 'all', label: 'Everything', description: 'Everything a key can be allowed' },
  { id: 'send', label: 'Send only', description: 'Send traces and scores, read prompts' },
  { id: 'read', label: 'Read only', description: 'Read everything, change nothing' },
  { id: 'chosen', label: 'Choose', description: 'Only what you select' },
]

/** The permissions of a request; null asks for all of them. */
export function permissionsOf(
  access: Access,
  chosen: readonly KeyPermission[],
): KeyPermission[] | null {
  switch (access) {
    case 'all':
      return null
    case 'send':
      return ['traces:write', 'scores:write', 'prompts:read']
    case 'read':
      return allPermissions.filter((permission) => permission.endsWith(':read'))
    case 'chosen':
      return allPermissions.filter((permission) => chosen.includes(permission))
  }
}

/** The permissions of a key in a few words. */
export function describePermissions(permissions: readonly string[] | undefined): string {
  if (!permissions || allPermissions.every((each) => permissions.includes(each))) {
    return 'Everything'
  }
  if (permissions.every((each) => each.endsWith(':read'))) {
    return permissions.length === allPermissions.filter((each) => each.endsWith(':read')).length
      ? 'Read only'
      : permissions.join(', ')
  }
  return permissions.join(', ')
}
