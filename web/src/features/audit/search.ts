import * as v from 'valibot'

/** The search parameters of an audit log. */
export const auditSearchEntries = {
  action: v.optional(v.fallback(v.string(), '')),
  resourceType: v.optional(v.fallback(v.string(), '')),
  entry: v.optional(v.fallback(v.string(), '')),
}

export type AuditSearch = { action?: string; resourceType?: string; entry?: string }
