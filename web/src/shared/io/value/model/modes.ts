import { createPreference, type Preference } from '@/shared/lib/preference'

export type Mode = 'formatted' | 'json' | 'raw'

/** The kind of field that a value belongs to: the display mode is remembered for each kind. */
export type FieldKind = 'input' | 'output' | 'metadata' | 'other'

const preferences = new Map<FieldKind, Preference<Mode>>()

export function modePreference(field: FieldKind): Preference<Mode> {
  const known = preferences.get(field)
  if (known) return known
  const created = createPreference<Mode>(`value.${field}`, ['formatted', 'json', 'raw'])
  preferences.set(field, created)
  return created
}
