import { Columns2, Database, Download, Ellipsis, ListChecks, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { DatasetDialog, QueueDialog } from '@/shared/addTo'
import { toastFailure } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { useProject } from '@/shared/currentUser'
import { Button, Menu, toast, type MenuAction } from '@/shared/ui'
import { useDownload } from '../api/useDownload'
import { useDeleteTrace } from '../api/useDeleteTrace'
import { CompareDialog } from './CompareDialog'

type TraceActionsProps = {
  projectId: string
  traceId: string
  /** The selected observation; undefined for the trace. */
  observationId: string | undefined
  /** The observation that represents the trace. */
  rootId: string
  onDeleted: () => void
}

type Open = 'compare' | 'dataset' | 'queue' | 'delete'

/** The actions for a trace, or for the selected observation, as far as the user's role allows. */
export function TraceActions(props: TraceActionsProps) {
  const { projectId, traceId, observationId, rootId, onDeleted } = props
  const { can } = useProject()
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const download = useDownload(projectId, traceId)
  const remove = useDeleteTrace(projectId)
  const close = () => setOpen(undefined)
  const what = observationId === undefined ? 'trace' : 'observation'
  const actions: MenuAction[] = [
    {
      id: 'dataset',
      label: `Add ${what} to dataset`,
      icon: <Database aria-hidden />,
      isDisabled: !can('datasets:write'),
      onAction: () => setOpen('dataset'),
    },
    {
      id: 'queue',
      label: `Add ${what} to annotation queue`,
      icon: <ListChecks aria-hidden />,
      isDisabled: !can('evaluation:write'),
      onAction: () => setOpen('queue'),
    },
    {
      id: 'compare',
      label: 'Compare with another trace',
      icon: <Columns2 aria-hidden />,
      onAction: () => setOpen('compare'),
    },
    {
      id: 'download',
      label: 'Download as JSON',
      icon: <Download aria-hidden />,
      isDisabled: download.isPending,
      onAction: () =>
        download.mutate(undefined, {
          onSuccess: () => toast('Trace downloaded'),
          onError: toastFailure('The trace could not be downloaded'),
        }),
    },
    {
      id: 'delete',
      label: 'Delete trace',
      icon: <Trash2 aria-hidden />,
      isDanger: true,
      startsGroup: true,
      isDisabled: !can('traces:delete'),
      hint: can('traces:delete') ? undefined : <span className="text-sm text-text-3">Admins</span>,
      onAction: () => setOpen('delete'),
    },
  ]
  return (
    <>
      <Menu
        label="Trace"
        placement="bottom end"
        actions={actions}
        trigger={
          <Button size="sm" icon={<Ellipsis aria-hidden />} isPending={download.isPending}>
            Actions
          </Button>
        }
      />
      <CompareDialog
        projectId={projectId}
        traceId={traceId}
        isOpen={open === 'compare'}
        onClose={close}
      />
      <DatasetDialog
        projectId={projectId}
        source={{
          traceId,
          observationId: observationId ?? rootId,
          isTrace: observationId === undefined,
        }}
        isOpen={open === 'dataset'}
        onClose={close}
      />
      <QueueDialog
        projectId={projectId}
        traceId={traceId}
        observationId={observationId}
        isOpen={open === 'queue'}
        onClose={close}
      />
      <ConfirmChange
        title="Delete the trace"
        action="Delete trace"
        change={remove}
        variables={open === 'delete' ? traceId : undefined}
        onClose={close}
        onDone={() => {
          toast('Trace deleted')
          onDeleted()
        }}
      >
        All of its observations and scores are deleted. This cannot be undone.
      </ConfirmChange>
    </>
  )
}
