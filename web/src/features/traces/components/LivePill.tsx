import { ArrowUp } from 'lucide-react'
import { Button } from '@/ui'
import { useNewRows } from '../api/useNewRows'
import type { View } from '../api/useView'
import type { Row } from '../model/rows'
import type { Table } from '../model/view'

type LivePillProps = {
  projectId: string
  table: Table
  view: View
  newest: Row | undefined
  onShow: () => void
}

/** How many rows have come since. They wait, so that nothing moves below a pointer, until they are asked for. */
export function LivePill({ projectId, table, view, newest, onShow }: LivePillProps) {
  const { count, isMore } = useNewRows(projectId, table, view.selection, newest, true)
  return (
    <span role="status" className="flex items-center gap-2 text-sm text-text-3">
      {count === 0 ? (
        'Waiting for new rows'
      ) : (
        <Button size="sm" variant="primary" icon={<ArrowUp aria-hidden />} onPress={onShow}>
          {count}
          {isMore ? '+' : ''} new
        </Button>
      )}
    </span>
  )
}
