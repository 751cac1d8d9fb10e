import { useState } from 'react'
import {
  countColumn,
  DataTable,
  durationColumn,
  idColumn,
  moneyColumn,
  type Column,
  type TableState,
} from '@/shared/table'
import { Badge, Button, EmptyState, Facts, Money, Tokens } from '@/shared/ui'

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
  durationColumn('latency', 'Latency', (row) => row.latency / 1000, { width: 100, sortable: true }),
  moneyColumn('cost', 'Cost', (row) => row.cost, { sortable: true }),
  { id: 'note', header: 'Note', width: 240, grows: true, cell: (row) => row.note },
  idColumn('id', 'Id', (row) => row.id, { width: 120, hiddenAtFirst: true }),
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

type Result = {
  id: string
  input: string
  cost: [number, number]
  tokens: [number, number]
  note: string
}

const texts = ['Short.', rows[0]?.note ?? '', 'One line\nand another\nand a third']
const results: Result[] = Array.from({ length: 60 }, (_, at) => ({
  id: `item-${at}`,
  input: texts[at % 3] ?? '',
  cost: [at / 1e3, (at * 7) / 5e3],
  tokens: [at * 31, at * 29],
  note: `What is known of item ${at}`,
}))
const sum = (of: (result: Result) => number) => results.reduce((all, each) => all + of(each), 0)

const resultColumns: Column<Result>[] = [
  {
    id: 'input',
    header: 'Input',
    width: 220,
    grows: true,
    total: 'Total',
    cell: ({ input }) => input,
  },
  ...(['Baseline', 'Candidate'] as const).flatMap((under, at) => {
    const of = (pair: [number, number]) => pair[at] ?? 0
    return [
      moneyColumn(`cost${at}`, 'Cost', (row: Result) => of(row.cost), {
        under,
        total: <Money amount={sum((row) => of(row.cost))} />,
      }),
      countColumn(`tokens${at}`, 'Tokens', (row: Result) => of(row.tokens), {
        under,
        total: <Tokens count={sum((row) => of(row.tokens))} />,
      }),
    ]
  }),
]

/** A table whose rows are as high as their content, with columns that share headers, totals, and rows that expand. */
export function GalleryResults() {
  const [state, setState] = useState<TableState>({})
  return (
    <div className="flex h-96 w-full min-w-0">
      <DataTable
        label="Results"
        columns={resultColumns}
        rows={results}
        rowId={(row) => row.id}
        state={state}
        onStateChange={setState}
        isWrapped
        detail={(row) => <Facts facts={[{ label: 'Note', value: row.note }]} />}
        empty={<EmptyState title="No rows" />}
      />
    </div>
  )
}
