import { Radio, Sparkles } from 'lucide-react'
import { ExportMenu } from '@/features/exports'
import { Button } from '@/shared/ui'
import type { useTable } from '../api/useTable'
import type { View } from '../api/useView'
import { isEmptyQuery } from '../model/query'
import type { Table } from '../model/view'
import { GroupSelect } from './GroupSelect'

type ToolbarProps = {
  projectId: string
  table: Table
  view: View
  at: ReturnType<typeof useTable>
}

/** Other views of the same selection. */
export function Toolbar({ projectId, table, view, at }: ToolbarProps) {
  return (
    <>
      <GroupSelect projectId={projectId} value={at.group} onChange={at.setGroup} />
      {!isEmptyQuery(view.query) && (
        <Button
          size="sm"
          variant="ghost"
          icon={<Sparkles aria-hidden />}
          onPress={() => at.compare({ kind: 'query' })}
        >
          What is different?
        </Button>
      )}
      {at.group === undefined && view.range.kind === 'last' && (
        <Button
          size="sm"
          variant={at.isLive ? 'secondary' : 'ghost'}
          aria-pressed={at.isLive}
          icon={<Radio aria-hidden />}
          onPress={() => at.setLive(!at.isLive)}
        >
          Live
        </Button>
      )}
      <ExportMenu table={table} selection={view.selection} />
    </>
  )
}
