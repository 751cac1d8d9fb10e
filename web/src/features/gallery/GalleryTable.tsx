import { useState } from 'react'
import { DataTable, type Column, type TableState } from '@/shared/table'
import { Badge, Button, Duration, EmptyState, Money } from '@/shared/ui'

type Example = {
  id: string
  name: string
  level: string
  latency: number
  cost: number
  note: string
}

const names = ['chat', 'retrieve', 'plan', 'write', 'check']
const rows: Example[] = Array.from({ length: 500 }, (_, index) => ({
  id: `row-${index}`,
  name: names[index % names.length] ?? '',
  level: index % 17 === 0 ? 'Error' : 'Default',
  latency: 40 + ((index * 7919) % 9000),
  cost: ((index * 104729) % 1000) / 1e5,
  note: 'A longer text that does not fit into its column and is cut at its edge, as long as the column is narrow',
}))

const columns: Column<Example>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 140,
    required: true,
    sortable: true,
    cell: (row) => row.name,
  },
  {
    id: 'level',
    header: 'Level',
    width: 110,
    cell: (row) => (row.level === 'Error' ? <Badge tone="danger">Error</Badge> : row.level),
  },
  {
    id: 'latency',
    header: 'Latency',
    width: 100,
    align: 'end',
    sortable: true,
    cell: (row) => <Duration milliseconds={row.latency} />,
  },
  {
    id: 'cost',
    header: 'Cost',
    width: 100,
    align: 'end',
    sortable: true,
    cell: (row) => <Money amount={row.cost} />,
  },
  { id: 'note', header: 'Note', width: 240, grows: true, cell: (row) => row.note },
  {
    id: 'id',
    header: 'Id',
    width: 120,
    hiddenAtFirst: true,
    cell: (row) => <span className="font-mono text-sm">{row.id}</span>,
  },
]

/** The table with made-up rows. */
export function GalleryTable() {
  const [state, setState] = useState<TableState>({ pinned: ['name'] })
  const [openId, setOpenId] = useState<string | undefined>(undefined)
  return (
    <div className="flex h-80 w-full min-w-0">
      <DataTable
        label="Examples"
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        state={state}
        onStateChange={setState}
        openId={openId}
        onOpen={(row) => setOpenId(row.id)}
        onClose={() => setOpenId(undefined)}
        selectionBar={(ids, clear) => (
          <Button size="sm" onPress={clear}>
            Forget {ids.length}
          </Button>
        )}
        empty={<EmptyState title="No rows" />}
      />
    </div>
  )
}
