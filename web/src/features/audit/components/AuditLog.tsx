import { ScrollText } from 'lucide-react'
import { pagedTableProps } from '@/shared/errors'
import {
  DataTable,
  idColumn,
  listHeight,
  timeColumn,
  useTableState,
  type Column,
} from '@/shared/table'
import { Badge, Button, EmptyState, Select } from '@/shared/ui'
import { useAuditEntry, useAuditLog, type AuditEntry, type AuditScope } from '../api/useAuditLog'
import { describeActor, describeResource } from '../model/entry'
import { actionTones, EntryDialog } from './EntryDialog'
import { useSearchState } from '@/shared/lib/useSearchState'

type AuditLogProps = {
  scope: AuditScope
  /** Project names by id, for the log of an organization. */
  projects?: ReadonlyMap<string, string>
}

const anything = 'any'
const actionOptions = [
  { id: anything, label: 'All actions' },
  { id: 'create', label: 'Created' },
  { id: 'update', label: 'Changed' },
  { id: 'delete', label: 'Deleted' },
  { id: 'view', label: 'Viewed' },
]

/** Who changed what, newest first. The filter and the open entry are kept in the URL. */
export function AuditLog({ scope, projects }: AuditLogProps) {
  const [search, change] = useSearchState()
  const [state, setState] = useTableState()
  const filter = { action: search.action ?? '', resourceType: search.resourceType ?? '' }
  const log = useAuditLog(scope, filter)
  const loaded = log.data?.find((entry) => entry.id === search.entry)
  const older = useAuditEntry(
    scope,
    loaded || !log.data ? undefined : search.entry,
    search.entryTime,
  )
  const isFiltered = filter.action !== '' || filter.resourceType !== ''
  const types = new Set((log.data ?? []).map((entry) => entry.resourceType))
  if (filter.resourceType !== '') types.add(filter.resourceType)
  const columns: Column<AuditEntry>[] = [
    timeColumn('time', 'When', (entry) => entry.timestamp, { width: 110 }),
    { id: 'actor', header: 'Who', width: 180, cell: (entry) => describeActor(entry.actor) },
    {
      id: 'action',
      header: 'Action',
      width: 90,
      cell: (entry) => <Badge tone={actionTones[entry.action]}>{entry.action}</Badge>,
    },
    {
      id: 'resource',
      header: 'What',
      width: 150,
      required: true,
      cell: (entry) => describeResource(entry.resourceType),
    },
    idColumn('resourceId', 'Id', (entry) => entry.resourceId, { width: 200, grows: true }),
    ...(projects
      ? [
          {
            id: 'project',
            header: 'Project',
            width: 140,
            cell: (entry: AuditEntry) =>
              entry.projectId === null ? null : (projects.get(entry.projectId) ?? entry.projectId),
          },
        ]
      : []),
    {
      id: 'address',
      header: 'Address',
      width: 130,
      hiddenAtFirst: true,
      cell: (entry) => entry.address,
    },
  ]
  return (
    <>
      <DataTable
        label="Audit log"
        columns={columns}
        rows={log.data}
        rowId={(entry) => entry.id}
        resetKey={JSON.stringify(filter)}
        state={state}
        onStateChange={setState}
        onOpen={(entry) => change({ entry: entry.id, entryTime: entry.timestamp })}
        {...pagedTableProps(log, 'the audit log')}
        maxHeight={listHeight}
        toolbar={
          <>
            <Select
              label="Action"
              hideLabel
              options={actionOptions}
              value={filter.action || anything}
              onChange={(id) => change({ action: id === anything ? undefined : id })}
              className="w-36"
            />
            <Select
              label="What was changed"
              hideLabel
              options={[
                { id: anything, label: 'Everything' },
                ...[...types].toSorted().map((id) => ({ id, label: describeResource(id) })),
              ]}
              value={filter.resourceType || anything}
              onChange={(id) => change({ resourceType: id === anything ? undefined : id })}
              className="w-44"
            />
          </>
        }
        empty={
          isFiltered ? (
            <EmptyState
              title="No matches"
              action={
                <Button onPress={() => change({ action: undefined, resourceType: undefined })}>
                  Show everything
                </Button>
              }
            >
              No entries match both filters.
            </EmptyState>
          ) : (
            <EmptyState icon={<ScrollText aria-hidden />} title="No changes yet">
              Every change of settings, members, keys, prompts and datasets is recorded here.
            </EmptyState>
          )
        }
      />
      <EntryDialog
        entry={loaded ?? older.data ?? undefined}
        onClose={() => change({ entry: undefined, entryTime: undefined })}
      />
    </>
  )
}
