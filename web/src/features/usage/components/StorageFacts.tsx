import { formatBytes, formatExact } from '@/shared/lib/format'
import { Facts, Time } from '@/shared/ui'
import type { Storage } from '../api/useUsage'

type StorageFactsProps = { storage: Storage; measuredAt: string }

/** What a project stores. */
export function StorageFacts({ storage, measuredAt }: StorageFactsProps) {
  return (
    <Facts
      facts={[
        { label: 'Observations and scores', value: formatExact(storage.rows) },
        { label: 'On disk', value: formatBytes(storage.bytes) },
        { label: 'Oldest day', value: storage.oldestDay ?? '–' },
        { label: 'Media files', value: formatExact(storage.mediaFiles) },
        { label: 'Media', value: formatBytes(storage.mediaBytes) },
        { label: 'Measured', value: <Time at={measuredAt} /> },
      ]}
    />
  )
}
