import type { UiComponents } from '@/shared/api'
import { countOf, formatExact } from '@/shared/lib/format'
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

export type DatasetVersion = UiComponents['schemas']['DatasetVersion']

/** What a version of a dataset wrote: "3 items written, 1 archived". */
export function writtenText({ items, archived, deleted }: DatasetVersion): string {
  const written = items - archived - deleted
  return [
    written > 0 && `${countOf(written, 'item')} written`,
    archived > 0 && `${formatExact(archived)} archived`,
    deleted > 0 && `${formatExact(deleted)} deleted`,
  ]
    .filter((part) => part !== false)
    .join(', ')
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
