/** The search parameters of an audit log. */
export const auditSearchNames = ['action', 'resourceType', 'entry'] as const
