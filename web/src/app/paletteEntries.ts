import { projectSettingsPages } from '@/features/projects'
import { linkOptions } from '@tanstack/react-router'
import type { SavedView } from '@/shared/savedViews'
import { findProject, type Session } from '@/shared/currentUser'
import { densityPreference, themePreference, zonePreference } from '@/shared/lib/preferences'
import type { AppLocation } from '@/shared/lib/search'
import { navigationFor, pathOf } from './navigation'

/** An entry of the palette: an address to go to, or an action. */
export type PaletteEntry = { id: string; label: string; hint: string; words: string } & (
  AppLocation | { to?: undefined; onRun: () => void }
)

type Actions = { onHelp: () => void; onSignOut: () => void }

export function paletteEntries(
  session: Session,
  projectId: string | undefined,
  actions: Actions,
): PaletteEntry[] {
  const items =
    projectId === undefined
      ? []
      : navigationFor(findProject(session, projectId)?.project).flatMap((group) => group.items)
  const pages = items.map((item) => ({
    id: `page ${pathOf(item)}`,
    label: item.label,
    hint: 'Page',
    words: item.label,
    ...linkOptions({ to: item.to, params: { projectId: projectId ?? '', _splat: item.splat } }),
  }))
  const skills = items.some((item) => pathOf(item) === 'prompts')
    ? [
        {
          id: 'page skills',
          label: 'Skills',
          hint: 'Page',
          words: 'Skills prompts',
          ...linkOptions({
            to: '/project/$projectId/skills',
            params: { projectId: projectId ?? '' },
          }),
        },
      ]
    : []
  const settings =
    projectId === undefined || !items.some((item) => pathOf(item) === 'settings')
      ? []
      : projectSettingsPages.map((page) => ({
          id: `settings ${page.to}`,
          label: page.label,
          hint: 'Project settings',
          words: `${page.label} settings`,
          ...linkOptions({ to: page.to, params: { projectId } }),
        }))
  const projects = session.organizations.flatMap((organization) => [
    ...organization.projects.map((project) => ({
      id: `project ${project.id}`,
      label: project.name,
      hint: `Project in ${organization.name}`,
      words: `${project.name} ${organization.name}`,
      ...linkOptions({ to: '/project/$projectId', params: { projectId: project.id } }),
    })),
    {
      id: `organization ${organization.id}`,
      label: organization.name,
      hint: 'Organization',
      words: organization.name,
      ...linkOptions({
        to: '/organization/$organizationId',
        params: { organizationId: organization.id },
      }),
    },
  ])
  const action = (label: string, onRun: () => void): PaletteEntry => ({
    id: `action ${label}`,
    label,
    hint: 'Action',
    words: label,
    onRun,
  })
  return [
    ...pages,
    ...skills,
    ...settings,
    ...projects,
    {
      id: 'account',
      label: 'Account settings',
      hint: 'Page',
      words: 'account settings password sessions',
      to: '/account/settings',
    },
    {
      id: 'home',
      label: 'Organizations and projects',
      hint: 'Page',
      words: 'organizations projects create new',
      to: '/',
    },
    action('Use the light theme', () => themePreference.set('light')),
    action('Use the dark theme', () => themePreference.set('dark')),
    action('Use the system theme', () => themePreference.set('system')),
    action('Show times in UTC', () => zonePreference.set('utc')),
    action('Show times in local time', () => zonePreference.set('local')),
    action('Compact rows', () => densityPreference.set('compact')),
    action('Normal rows', () => densityPreference.set('normal')),
    action('Comfortable rows', () => densityPreference.set('comfortable')),
    {
      id: 'docs',
      label: 'Documentation',
      hint: 'Page',
      words: 'documentation docs help manual',
      to: '/docs',
    },
    action('Keyboard shortcuts', actions.onHelp),
    action('Sign out', actions.onSignOut),
  ]
}

/** Entries for saved views of tables. */
export function viewEntries(
  projectId: string,
  views: readonly { id: string; name: string; table: SavedView['table']; shared: boolean }[],
): PaletteEntry[] {
  return views.map((view) => ({
    id: `view ${view.id}`,
    label: view.name,
    hint: `${view.shared ? 'View of the project' : 'Your view'} of ${view.table}`,
    words: `${view.name} view ${view.table}`,
    ...linkOptions({
      to: `/project/$projectId/${view.table}`,
      params: { projectId },
      search: { viewId: view.id },
    }),
  }))
}

/** The entries that contain every word of the text, those whose label starts with the first word first. */
export function matchEntries(entries: readonly PaletteEntry[], text: string): PaletteEntry[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const rank = (entry: PaletteEntry) =>
    words[0] !== undefined && entry.label.toLowerCase().startsWith(words[0]) ? 0 : 1
  return entries
    .filter((entry) => words.every((word) => entry.words.toLowerCase().includes(word)))
    .map((entry, index) => ({ entry, index }))
    .sort((a, b) => rank(a.entry) - rank(b.entry) || a.index - b.index)
    .map(({ entry }) => entry)
}
