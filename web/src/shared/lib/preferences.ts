import { createPreference } from './preference'

/** The preferences of this browser, each defined once. */
export const themePreference = createPreference('theme', ['system', 'light', 'dark'])
export const densityPreference = createPreference('density', ['normal', 'compact', 'comfortable'])
export const zonePreference = createPreference('zone', ['local', 'utc'])
export const railPreference = createPreference('rail', ['open', 'folded'])

export type Theme = ReturnType<typeof themePreference.get>
export type Density = ReturnType<typeof densityPreference.get>

export const rowHeights: Record<Density, number> = { compact: 26, normal: 32, comfortable: 40 }

/** Keeps the attributes that the style sheet depends on in sync with the preferences. */
export function applyPreferences(root: HTMLElement): void {
  const apply = () => {
    const theme = themePreference.get()
    if (theme === 'system') delete root.dataset.theme
    else root.dataset.theme = theme
    root.dataset.density = densityPreference.get()
  }
  themePreference.subscribe(apply)
  densityPreference.subscribe(apply)
  apply()
}
