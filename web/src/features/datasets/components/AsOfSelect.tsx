import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import { formatFull } from '@/shared/lib/time'
import { Select, type Option } from '@/shared/ui'
import { useDatasetVersions } from '../api/useItems'
import { writtenText } from '../model/versions'

type AsOfSelectProps = {
  projectId: string
  datasetId: string
  /** undefined is now. */
  asOf: string | undefined
  onChange: (asOf: string | undefined) => void
}

/** The version of a dataset whose items are shown: now, or one of the last that were written. */
export function AsOfSelect({ projectId, datasetId, asOf, onChange }: AsOfSelectProps) {
  const versions = useDatasetVersions(projectId, datasetId)
  const zone = usePreference(zonePreference)
  const label = (at: string) => `As of ${formatFull(new Date(at), zone)}`
  const options: Option[] = [
    { id: 'now', label: 'As of now' },
    ...(versions.data?.versions ?? []).map((version) => ({
      id: version.at,
      label: label(version.at),
      description: writtenText(version),
    })),
  ]
  // An address can ask for any time.
  if (asOf !== undefined && !options.some(({ id }) => id === asOf))
    options.splice(1, 0, { id: asOf, label: label(asOf) })
  return (
    <Select
      label="As of"
      hideLabel
      options={options}
      value={asOf ?? 'now'}
      onChange={(id) => onChange(id === 'now' ? undefined : id)}
      className="max-w-64"
    />
  )
}
