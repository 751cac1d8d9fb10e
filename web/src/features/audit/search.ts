/** The search parameters of an audit log: its filters, and the open entry with its time, by which an old one is found. */
export const auditSearchNames = ['action', 'resourceType', 'entry', 'entryTime'] as const
