import { usePreference, type Preference } from '@/shared/lib/preference'
import { densityPreference, themePreference, zonePreference } from '@/shared/lib/preferences'
import { SegmentedControl, type Option } from '@/shared/ui'

const themes = [
  { id: 'system', label: 'System' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
] as const
const densities = [
  { id: 'compact', label: 'Compact' },
  { id: 'normal', label: 'Normal' },
  { id: 'comfortable', label: 'Comfortable' },
] as const
const zones = [
  { id: 'local', label: 'Local time' },
  { id: 'utc', label: 'UTC' },
] as const

/** How the application looks in this browser. */
export function Appearance() {
  return (
    <dl className="grid max-w-md grid-cols-[auto_1fr] items-center gap-x-6 gap-y-3">
      <Choice label="Theme" preference={themePreference} options={themes} />
      <Choice label="Rows" preference={densityPreference} options={densities} />
      <Choice label="Times" preference={zonePreference} options={zones} />
    </dl>
  )
}

type ChoiceProps<K extends string> = {
  label: string
  preference: Preference<K>
  options: readonly Option<K>[]
}

function Choice<K extends string>({ label, preference, options }: ChoiceProps<K>) {
  const value = usePreference(preference)
  return (
    <>
      <dt className="text-text-2">{label}</dt>
      <dd>
        <SegmentedControl label={label} options={options} value={value} onChange={preference.set} />
      </dd>
    </>
  )
}
