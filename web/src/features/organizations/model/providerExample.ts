/** A template for configuring a provider that gives roles in an organization. */
export function providerExample(organizationId: string): string {
  const provider = {
    id: 'company',
    name: 'Company',
    issuer: 'https://login.example.com',
    clientId: '…',
    clientSecretFile: '/etc/almanac/oidc-secret',
    emailDomains: ['example.com'],
    createAccounts: true,
    defaultOrganizationId: organizationId,
    defaultRole: 'VIEWER',
    roles: [{ claim: 'groups', value: 'llm-team', organizationId, role: 'MEMBER' }],
  }
  return JSON.stringify([provider], null, 2)
}
