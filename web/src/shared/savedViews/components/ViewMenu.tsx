import {
  CircleCheck,
  LayoutList,
  Check,
  Copy,
  Pencil,
  Plus,
  RotateCcw,
  Save,
  Trash2,
  Users,
  X,
} from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '@/shared/api'
import { ConfirmChange } from '@/shared/forms'
import { useProject } from '@/shared/currentUser'
import { basePath } from '@/shared/lib/url'
import { projectPath } from '@/shared/lib/paths'
import { Button, copyText, Menu, toast, type MenuAction } from '@/shared/ui'
import type { useOpenView } from '../api/useOpenView'
import {
  useCreateView,
  useDefaultView,
  useDeleteView,
  useUpdateView,
  type SavedView,
} from '../api/useSavedViews'
import { stateOf } from '../model/savedView'
import { SaveViewDialog } from './SaveViewDialog'

type ViewMenuProps = {
  projectId: string
  table: SavedView['table']
  open: ReturnType<typeof useOpenView>
}

/** The views of a table: opens, saves, changes and deletes them. */
export function ViewMenu({ projectId, table, open }: ViewMenuProps) {
  const { can } = useProject()
  const canShare = can('views:share')
  const [dialog, setDialog] = useState<'save' | 'rename' | 'delete'>()
  const create = useCreateView(projectId)
  const update = useUpdateView(projectId)
  const remove = useDeleteView(projectId)
  const setDefault = useDefaultView(projectId)
  const { current, isChanged, address } = open
  const mayChange = current !== undefined && (!current.shared || canShare)
  const close = () => {
    setDialog(undefined)
    create.reset()
    update.reset()
    remove.reset()
  }
  const tell = { onError: (error: unknown) => toast(messageOf(error), { tone: 'danger' }) }
  const tellDefault = (was: boolean) => ({
    ...tell,
    onSuccess: () =>
      toast(
        was
          ? 'The table no longer opens with this view'
          : 'The table opens with this view from now on',
      ),
  })

  const listed = (view: SavedView, index: number, group: SavedView[]): MenuAction => ({
    id: `open ${view.id}`,
    label: view.name,
    icon:
      view === current ? (
        <Check aria-hidden />
      ) : view.shared ? (
        <Users aria-hidden />
      ) : (
        <LayoutList aria-hidden />
      ),
    hint: markOf(view),
    startsGroup: index === 0 && group.length < open.views.length && view.shared,
    onAction: () => open.open(view),
  })
  const actions: (MenuAction | false | undefined)[] = [
    ...open.views.filter((view) => !view.shared).map(listed),
    ...open.views.filter((view) => view.shared).map(listed),
    mayChange &&
      isChanged && {
        id: 'save',
        label: `Save “${current.name}”`,
        icon: <Save aria-hidden />,
        startsGroup: true,
        onAction: () =>
          update.mutate(
            {
              viewId: current.id,
              state: stateOf(address, current.state.dateRange !== undefined),
            },
            { ...tell, onSuccess: () => toast('View saved') },
          ),
      },
    {
      id: 'save-as',
      label: 'Save as a new view…',
      icon: <Plus aria-hidden />,
      startsGroup: open.views.length > 0 && !(mayChange && isChanged),
      onAction: () => setDialog('save'),
    },
    current &&
      isChanged && {
        id: 'reset',
        label: `Revert to saved “${current.name}”`,
        icon: <RotateCcw aria-hidden />,
        onAction: () => open.open(current),
      },
    current && {
      id: 'link',
      label: 'Copy link',
      icon: <Copy aria-hidden />,
      startsGroup: true,
      onAction: async () => {
        if (await copyText(linkOf(projectId, current))) toast('Link copied')
      },
    },
    current && {
      id: 'mine',
      label: current.isMyDefault ? 'Remove as your default' : 'Make it your default',
      icon: <CircleCheck aria-hidden />,
      onAction: () =>
        setDefault.mutate(
          { table, for: 'me', viewId: current.isMyDefault ? null : current.id },
          tellDefault(current.isMyDefault),
        ),
    },
    current?.shared &&
      canShare && {
        id: 'project',
        label: current.isProjectDefault
          ? 'Remove as the project default'
          : 'Make it the project default',
        icon: <CircleCheck aria-hidden />,
        onAction: () =>
          setDefault.mutate(
            { table, for: 'project', viewId: current.isProjectDefault ? null : current.id },
            tellDefault(current.isProjectDefault),
          ),
      },
    mayChange && {
      id: 'rename',
      label: 'Rename or share…',
      icon: <Pencil aria-hidden />,
      onAction: () => setDialog('rename'),
    },
    mayChange && {
      id: 'delete',
      label: 'Delete…',
      icon: <Trash2 aria-hidden />,
      isDanger: true,
      onAction: () => setDialog('delete'),
    },
    current && {
      id: 'leave',
      label: 'Close view',
      icon: <X aria-hidden />,
      onAction: open.leave,
    },
  ]
  return (
    <>
      <Menu
        label="Views"
        trigger={
          <Button size="sm" variant="ghost" icon={<LayoutList aria-hidden />}>
            <span className="max-w-40 truncate">{current?.name ?? 'Views'}</span>
            {isChanged && <span className="text-text-3">(changed)</span>}
          </Button>
        }
        actions={actions}
      />
      {open.isMissing && (
        <span role="status" className="text-sm text-warning">
          This view does not exist, or belongs to someone else.
        </span>
      )}
      {dialog === 'save' && (
        <SaveViewDialog
          title="Save view"
          initial={{ name: '', shared: false, withTime: false }}
          canShare={canShare}
          asksForTime
          isPending={create.isPending}
          error={create.error}
          onClose={close}
          onSave={({ name, shared, withTime }) =>
            create.mutate(
              { name, shared, table, state: stateOf(address, withTime) },
              {
                onSuccess: (view) => {
                  close()
                  open.name(view.id)
                  toast('View saved')
                },
              },
            )
          }
        />
      )}
      {dialog === 'rename' && current && (
        <SaveViewDialog
          title="Rename or share"
          initial={{ name: current.name, shared: current.shared, withTime: false }}
          canShare={canShare}
          asksForTime={false}
          isPending={update.isPending}
          error={update.error}
          onClose={close}
          onSave={({ name, shared }) =>
            update.mutate({ viewId: current.id, name, shared }, { onSuccess: close })
          }
        />
      )}
      <ConfirmChange
        title={`Delete “${current?.name ?? ''}”?`}
        action="Delete view"
        change={remove}
        variables={dialog === 'delete' ? current?.id : undefined}
        onClose={close}
        onDone={open.leave}
      >
        {current?.shared
          ? 'Nobody in the project will be able to open it. Traces are not affected.'
          : 'Traces stay as they are.'}
      </ConfirmChange>
    </>
  )
}

function markOf(view: SavedView): React.ReactNode {
  if (!view.isMyDefault && !view.isProjectDefault) return undefined
  return (
    <span className="text-sm text-text-3">
      {view.isMyDefault ? 'your default' : 'project default'}
    </span>
  )
}

function linkOf(projectId: string, view: SavedView): string {
  return `${location.origin}${basePath}${projectPath(projectId, view.table)}?viewId=${encodeURIComponent(view.id)}`
}
