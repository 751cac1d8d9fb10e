import { usePreference } from '@/lib/preference'
import { densityPreference, themePreference, zonePreference } from '@/lib/preferences'
import { SegmentedControl } from '@/ui'

const themes = [
  { id: 'system', label: 'As the system' },
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
  const theme = usePreference(themePreference)
  const density = usePreference(densityPreference)
  const zone = usePreference(zonePreference)
  return (
    <dl className="grid max-w-md grid-cols-[auto_1fr] items-center gap-x-6 gap-y-3">
      <dt className="text-text-2">Theme</dt>
      <dd>
        <SegmentedControl
          label="Theme"
          options={themes}
          value={theme}
          onChange={themePreference.set}
        />
      </dd>
      <dt className="text-text-2">Rows</dt>
      <dd>
        <SegmentedControl
          label="Rows"
          options={densities}
          value={density}
          onChange={densityPreference.set}
        />
      </dd>
      <dt className="text-text-2">Times</dt>
      <dd>
        <SegmentedControl
          label="Times"
          options={zones}
          value={zone}
          onChange={zonePreference.set}
        />
      </dd>
    </dl>
  )
}
