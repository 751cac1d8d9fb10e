import { Radio, Sparkles } from 'lucide-react'
import { ExportMenu } from '@/features/exports'
import { Button } from '@/shared/ui'
import type { useTracesUrlState } from '../api/useTracesUrlState'
import type { TraceQuery } from '../api/useTraceQuery'
import { isEmptyQuery } from '../model/query'
import type { Table } from '../model/view'
import { GroupSelect } from './GroupSelect'

type ToolbarProps = {
  projectId: string
  table: Table
  view: TraceQuery
  urlState: ReturnType<typeof useTracesUrlState>
}

/** Other views of the same selection. */
export function Toolbar({ projectId, table, view, urlState }: ToolbarProps) {
  return (
    <>
      <GroupSelect projectId={projectId} value={urlState.group} onChange={urlState.setGroup} />
      {!isEmptyQuery(view.query) && (
        <Button
          size="sm"
          variant="ghost"
          icon={<Sparkles aria-hidden />}
          onPress={() => urlState.compare({ kind: 'query' })}
        >
          What is different?
        </Button>
      )}
      {urlState.group === undefined && view.range.kind !== 'between' && (
        <Button
          size="sm"
          variant={urlState.isLive ? 'secondary' : 'ghost'}
          aria-pressed={urlState.isLive}
          icon={<Radio aria-hidden />}
          onPress={() => urlState.setLive(!urlState.isLive)}
        >
          Live
        </Button>
      )}
      <ExportMenu table={table} selection={view.selection} />
    </>
  )
}
