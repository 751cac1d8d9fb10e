import type { UiComponents } from '@/shared/api'
import { formatFull, type Zone } from '@/shared/lib/time'
import type { Option } from '@/shared/ui'
import type { ItemDraft } from './items'

export type ItemVersion = UiComponents['schemas']['DatasetItemVersion']

const statuses: Record<ItemVersion['status'], string> = {
  ACTIVE: 'active',
  ARCHIVED: 'archived',
  DELETED: 'deleted',
}

/** The versions as options, numbered from the first one on unless older ones are not loaded. */
export function versionOptions(
  versions: readonly ItemVersion[],
  hasOlder: boolean,
  zone: Zone,
): Option<string>[] {
  return versions.map(({ at, status }, n) => ({
    id: at,
    label: `${hasOlder ? '' : `${versions.length - n}. `}${formatFull(new Date(at), zone)} (${statuses[status]})`,
  }))
}

const labels: Record<keyof ItemDraft, string> = {
  input: 'Input',
  expectedOutput: 'Expected output',
  metadata: 'Metadata',
}

/** The values that differ. */
export function differences(before: ItemDraft, after: ItemDraft) {
  return (Object.keys(labels) as (keyof ItemDraft)[])
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, label: labels[field] }))
}
