import { expect, test } from 'vitest'
import { matchEntries, paletteEntries } from './paletteEntries'

const session = {
  user: null,
  setupNeeded: false,
  passwordSignIn: true,
  mail: false,
  providers: [],
  mayCreateOrganizations: true,
  offers: [],
  version: 'test',
  organizations: [
    {
      id: 'o',
      name: 'Acme',
      role: 'OWNER' as const,
      permissions: [],
      projects: [
        {
          id: 'p/1',
          name: 'Trading',
          organizationId: 'o',
          role: 'OWNER' as const,
          permissions: ['traces:read'],
          retentionDays: 0,
          maxDataBytes: 0,
        },
      ],
    },
  ],
}
const entries = paletteEntries(session, 'p/1', { onHelp: () => {}, onSignOut: () => {} })
const labels = (text: string) => matchEntries(entries, text).map((entry) => entry.label)

test('what begins with the text comes first', () => {
  expect(labels('tra').slice(0, 2)).toEqual(['Traces', 'Trading'])
  expect(labels('acme tra')).toEqual(['Trading'])
  expect(labels('dark')).toEqual(['Use the dark theme'])
  expect(labels('nothing like it')).toEqual([])
  expect(labels('').length).toBe(entries.length)
})

test('pages of a project have its id in their address', () => {
  expect(entries.find((entry) => entry.label === 'Traces')).toMatchObject({
    to: '/project/$projectId/traces',
    params: { projectId: 'p/1' },
  })
})
