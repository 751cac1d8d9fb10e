import type { Session } from '../model/session'

/** A person with three organizations, for tests. */
export const exampleSession: Session = {
  user: { id: 'u1', email: 'ada@example.com', name: 'Ada Lovelace', hasPassword: true },
  setupNeeded: false,
  providers: [],
  passwordSignIn: true,
  mail: false,
  mayCreateOrganizations: true,
  offers: [],
  version: 'test',
  organizations: [
    {
      id: 'o-zeta10',
      name: 'Zeta 10',
      role: 'MEMBER',
      permissions: [],
      projects: [],
    },
    {
      id: 'o-zeta2',
      name: 'Zeta 2',
      role: 'MEMBER',
      permissions: [],
      projects: [],
    },
    {
      id: 'o-acme',
      name: 'Acme',
      role: 'OWNER',
      permissions: [],
      projects: [
        {
          id: 'p-search',
          name: 'search',
          role: 'OWNER',
          permissions: [],
          organizationId: 'o-acme',
          retentionDays: 0,
          maxDataBytes: 0,
        },
        {
          id: 'p-agents',
          name: 'Agents',
          role: 'OWNER',
          permissions: [],
          organizationId: 'o-acme',
          retentionDays: 0,
          maxDataBytes: 0,
        },
      ],
    },
  ],
}
