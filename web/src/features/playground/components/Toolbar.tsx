import { Copy, Ellipsis, FolderOpen, Play, Plus, RotateCcw, Save, Square } from 'lucide-react'
import { useState } from 'react'
import { copyText, IconButton, KeyHint, Menu, NumberField, Button, toast } from '@/shared/ui'
import type { Draft } from '../model/draft'
import { copyOf, emptyState, isPristine, mostPanes, mostRepeats, type State } from '../model/state'
import { ConfirmReset } from './ConfirmReset'
import { OpenDialog } from './OpenDialog'
import { SaveDialog } from './SaveDialog'

type ToolbarProps = {
  projectId: string
  draft: Draft
  isRunning: boolean
  onRun: () => void
  onStop: () => void
  onUpdate: (change: (state: State) => State) => void
  onReplace: (draft: Draft) => void
  onSaved: (saved: NonNullable<Draft['saved']>) => void
}

/** What concerns all windows. */
export function Toolbar(props: ToolbarProps) {
  const { projectId, draft, isRunning, onUpdate } = props
  const { state, saved } = draft
  const [open, setOpen] = useState<'save' | 'saveAs' | 'open' | 'reset'>()
  const close = () => setOpen(undefined)
  const isChanged = saved !== undefined && JSON.stringify(state) !== saved.text
  const last = state.panes.at(-1)
  const copyAddress = async () => {
    if (saved === undefined) {
      setOpen('save')
      return
    }
    const url = new URL(location.href)
    url.search = `?saved=${encodeURIComponent(saved.id)}`
    if (await copyText(url.href))
      toast('Link copied', {
        description: isChanged ? 'It opens what was saved, without your changes.' : undefined,
      })
  }
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      {isRunning ? (
        <Button icon={<Square aria-hidden />} onPress={props.onStop}>
          Stop all
        </Button>
      ) : (
        <Button variant="primary" icon={<Play aria-hidden />} onPress={props.onRun}>
          {state.panes.length > 1 ? 'Run all' : 'Run'}
        </Button>
      )}
      <span className="hidden md:inline">
        <KeyHint keys="Mod Enter" />
      </span>
      <div className="flex items-center gap-1.5">
        <span aria-hidden className="text-sm text-text-3">
          Times
        </span>
        <NumberField
          label={<span className="sr-only">How often each window runs</span>}
          value={state.repeat}
          minValue={1}
          maxValue={mostRepeats}
          onChange={(repeat) =>
            onUpdate((before) => ({ ...before, repeat: Number.isFinite(repeat) ? repeat : 1 }))
          }
          className="w-28 [&>label]:sr-only"
        />
      </div>
      <span className="ml-auto flex min-w-0 flex-wrap items-center gap-2">
        {saved && (
          <span className="max-w-60 min-w-0 truncate text-sm text-text-3">
            {saved.name}
            {isChanged && ' · changed'}
          </span>
        )}
        <Button
          icon={<Plus aria-hidden />}
          isDisabled={state.panes.length >= mostPanes || last === undefined}
          onPress={() =>
            onUpdate((before) => ({
              ...before,
              panes: last ? [...before.panes, copyOf(last)] : before.panes,
            }))
          }
        >
          Add window
        </Button>
        <Button icon={<Save aria-hidden />} onPress={() => setOpen('save')}>
          Save
        </Button>
        <Menu
          label="Playground"
          placement="bottom end"
          trigger={<IconButton label="More actions" icon={<Ellipsis aria-hidden />} />}
          actions={[
            {
              id: 'open',
              label: 'Open a saved playground',
              icon: <FolderOpen aria-hidden />,
              onAction: () => setOpen('open'),
            },
            saved && {
              id: 'saveAs',
              label: 'Save as another playground',
              icon: <Save aria-hidden />,
              onAction: () => setOpen('saveAs'),
            },
            {
              id: 'link',
              label: saved ? 'Copy link' : 'Save, to get a link',
              icon: <Copy aria-hidden />,
              onAction: () => void copyAddress(),
            },
            {
              id: 'reset',
              label: 'Start over',
              icon: <RotateCcw aria-hidden />,
              startsGroup: true,
              onAction: () =>
                isPristine(state) ? props.onReplace({ state: emptyState() }) : setOpen('reset'),
            },
          ]}
        />
      </span>
      <SaveDialog
        projectId={projectId}
        draft={open === 'saveAs' ? { state } : draft}
        isOpen={open === 'save' || open === 'saveAs'}
        onClose={close}
        onSaved={props.onSaved}
      />
      <OpenDialog
        projectId={projectId}
        isOpen={open === 'open'}
        isChanged={saved === undefined ? !isPristine(state) : isChanged}
        onClose={close}
        onOpen={props.onReplace}
      />
      <ConfirmReset
        isOpen={open === 'reset'}
        onClose={close}
        onConfirm={() => props.onReplace({ state: emptyState() })}
      />
    </div>
  )
}
