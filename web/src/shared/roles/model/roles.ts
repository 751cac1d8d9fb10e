import type { UiComponents } from '@/shared/api'

export type Role = UiComponents['schemas']['Role']

/** Where a permission counts. */
export type Level = 'organization' | 'project'

/** The roles, strongest first, with what each may do. The server's table is authoritative: internal/domain/role.go. */
export const roles: readonly { id: Role; label: string; description: string }[] = [
  { id: 'OWNER', label: 'Owner', description: 'Everything, including deletion' },
  { id: 'ADMIN', label: 'Admin', description: 'Manages members, keys, settings and models' },
  {
    id: 'MEMBER',
    label: 'Member',
    description: 'Creates and edits, but does not manage the project',
  },
  { id: 'VIEWER', label: 'Viewer', description: 'Reads everything but keys and members' },
  { id: 'ANNOTATOR', label: 'Annotator', description: 'Reads and scores what is in their queues' },
  { id: 'NONE', label: 'None', description: 'Sees nothing' },
]

export function roleLabel(role: Role): string {
  return roles.find((each) => each.id === role)?.label ?? role
}

/** What a role allows, within a sentence. */
export function roleDescription(role: Role): string {
  const { description = '' } = roles.find((each) => each.id === role) ?? {}
  return description.charAt(0).toLowerCase() + description.slice(1)
}

/** The roles that somebody may give: none above their own. */
export function grantableRoles(own: Role): typeof roles {
  const from = roles.findIndex((each) => each.id === own)
  return from < 0 ? [] : roles.slice(from)
}

/** Whether somebody may give or take a role: none above their own. */
export function mayChange(own: Role, role: Role): boolean {
  return grantableRoles(own).some((each) => each.id === role)
}

/**
 * The weakest role with a permission, to tell users what to ask for. internal/domain/role_test.go compares it with the
 * server's table.
 */
const needed: Record<Level, Record<string, Role>> = {
  organization: {
    'members:read': 'MEMBER',
    'members:write': 'ADMIN',
    'audit:read': 'ADMIN',
    'projects:create': 'ADMIN',
    'organization:update': 'ADMIN',
    'organization:delete': 'OWNER',
    'keys:read': 'OWNER',
    'keys:write': 'OWNER',
  },
  project: {
    'queues:annotate': 'ANNOTATOR',
    'traces:read': 'VIEWER',
    'scores:read': 'VIEWER',
    'prompts:read': 'VIEWER',
    'datasets:read': 'VIEWER',
    'comments:read': 'VIEWER',
    'connections:read': 'VIEWER',
    'traces:write': 'MEMBER',
    'traces:publish': 'MEMBER',
    'scores:write': 'MEMBER',
    'scores:delete': 'MEMBER',
    'prompts:write': 'MEMBER',
    'prompts:delete': 'MEMBER',
    'datasets:write': 'MEMBER',
    'datasets:delete': 'MEMBER',
    'comments:write': 'MEMBER',
    'evaluation:write': 'MEMBER',
    'dashboards:write': 'MEMBER',
    'views:share': 'MEMBER',
    'integrations:read': 'MEMBER',
    'keys:read': 'MEMBER',
    'members:read': 'MEMBER',
    'exports:write': 'MEMBER',
    'playground:run': 'MEMBER',
    'traces:delete': 'ADMIN',
    'project:admin': 'ADMIN',
    'integrations:write': 'ADMIN',
    'keys:write': 'ADMIN',
    'members:write': 'ADMIN',
    'audit:read': 'ADMIN',
    'project:update': 'ADMIN',
    'project:delete': 'OWNER',
  },
}

export function roleNeeded(permission: string, level: Level): Role {
  return needed[level][permission] ?? 'OWNER'
}
