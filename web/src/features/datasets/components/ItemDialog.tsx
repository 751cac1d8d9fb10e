import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useProject } from '@/shared/currentUser'
import { Editor } from '@/shared/editor'
import { QueryView } from '@/shared/errors'
import { SubmitForm, UnsavedChanges, useForm } from '@/shared/forms'
import { prettyText } from '@/shared/io'
import {
  Badge,
  Button,
  ConfirmDialog,
  Dialog,
  DialogActions,
  Identifier,
  linkClass,
  Time,
  toast,
} from '@/shared/ui'
import { useItem, useSaveItem } from '../api/useItems'
import { itemChange, itemDraft, newItem, type ItemDetails, type ItemDraft } from '../model/items'
import { ItemHistory } from './ItemHistory'

type ItemDialogProps = {
  projectId: string
  datasetId: string
  /** The id of an item, or 'new' without one; the dialog is open while it is defined. */
  item: { id: string } | 'new' | undefined
  /** The time as of which an item is shown; it cannot be changed then. */
  asOf?: string | undefined
  onClose: () => void
}

/** A new item, or one with its whole values; who may write changes them. What was typed is not lost without a question. */
export function ItemDialog({ projectId, datasetId, item, asOf, onClose }: ItemDialogProps) {
  const [isAsking, setAsking] = useState(false)
  const hasUnsaved = useRef<() => boolean>(() => false)
  // An item has an address: leaving that is asked about anyway.
  const close = () => (item === 'new' && hasUnsaved.current() ? setAsking(true) : onClose())
  const rest = {
    projectId,
    datasetId,
    asOf: item === 'new' ? undefined : asOf,
    onClose: close,
    onSaved: onClose,
    onForm: (unsaved: () => boolean) => {
      hasUnsaved.current = unsaved
    },
  }
  return (
    <>
      <Dialog
        title={item === 'new' ? 'New item' : 'Item'}
        isOpen={item !== undefined}
        onClose={close}
        size="lg"
      >
        {item === 'new' && <ItemForm {...rest} item={undefined} />}
        {typeof item === 'object' && (
          <LoadedItem key={`${item.id} ${asOf ?? ''}`} {...rest} itemId={item.id} />
        )}
      </Dialog>
      <ConfirmDialog
        title="Discard the new item?"
        action="Discard"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          onClose()
        }}
      >
        What you typed is lost.
      </ConfirmDialog>
    </>
  )
}

type FormProps = {
  projectId: string
  datasetId: string
  asOf: string | undefined
  onClose: () => void
  onSaved: () => void
  /** Called with what tells whether something is unsaved. */
  onForm: (hasUnsaved: () => boolean) => void
}

function LoadedItem({ itemId, ...rest }: FormProps & { itemId: string }) {
  const item = useItem(rest.projectId, rest.datasetId, itemId, rest.asOf)
  return (
    <QueryView query={item} what="the item" skeleton="h-64 w-full">
      {(found) => <ItemForm {...rest} item={found} />}
    </QueryView>
  )
}

const json = { kind: 'json' } as const

function ItemForm(props: FormProps & { item: ItemDetails | undefined }) {
  const { projectId, datasetId, item, asOf, onClose, onSaved, onForm } = props
  const { can } = useProject()
  const save = useSaveItem(projectId, datasetId)
  // The version that was opened: what is loaded later neither replaces what is typed nor hides that it changed.
  const [opened] = useState(item)
  const [initial] = useState<ItemDraft>(() =>
    item ? itemDraft(item, (text) => prettyText(text) ?? text) : newItem,
  )
  const form = useForm<ItemDraft>({
    initial,
    check: ({ input }) => (input.trim() === '' ? { input: 'An item needs an input' } : {}),
    error: save.error,
  })
  const tell = useEffectEvent(() => onForm(form.hasUnsaved))
  useEffect(() => tell(), [])
  const facts = opened && <ItemFacts projectId={projectId} item={opened} />
  if (!can('datasets:write') || asOf !== undefined)
    return (
      <div className="flex flex-col gap-4">
        {facts}
        <Editor label="Input" value={initial.input} mode={json} maxRows={14} />
        <Editor label="Expected output" value={initial.expectedOutput} mode={json} maxRows={14} />
        <Editor label="Metadata" value={initial.metadata} mode={json} minRows={2} maxRows={8} />
        {opened && <ItemHistory projectId={projectId} datasetId={datasetId} itemId={opened.id} />}
        <DialogActions>
          <Button onPress={onClose}>Close</Button>
        </DialogActions>
      </div>
    )
  return (
    <SubmitForm
      action={opened ? 'Save' : 'Add item'}
      isPending={save.isPending}
      error={form.error}
      onSubmit={() =>
        form.submit((draft) =>
          save.mutate(itemChange(draft, initial, opened), {
            onSuccess: () => {
              toast(opened ? 'Item changed' : 'Item added')
              onSaved()
            },
          }),
        )
      }
      onClose={onClose}
    >
      <UnsavedChanges form={form} note="What you typed is lost." />
      {facts}
      <Editor
        {...form.field('input')}
        label="Input"
        description="JSON. Text needs quotes."
        mode={json}
        isRequired
        maxRows={14}
      />
      <Editor {...form.field('expectedOutput')} label="Expected output" mode={json} maxRows={14} />
      <Editor {...form.field('metadata')} label="Metadata" mode={json} minRows={2} maxRows={8} />
      {opened && (
        <ItemHistory
          projectId={projectId}
          datasetId={datasetId}
          itemId={opened.id}
          onUse={(values) => form.change(values)}
        />
      )}
    </SubmitForm>
  )
}

function ItemFacts({ projectId, item }: { projectId: string; item: ItemDetails }) {
  const { can } = useProject()
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-text-2">
      <Identifier id={item.id} />
      {item.status === 'ARCHIVED' && <Badge>Archived</Badge>}
      <span>
        Changed <Time at={item.updatedAt} />
      </span>
      {item.sourceTraceId !== null && can('traces:read') && (
        <Link
          to="/project/$projectId/traces/$traceId"
          params={{ projectId, traceId: item.sourceTraceId }}
          search={{ observation: item.sourceObservationId ?? undefined }}
          className={linkClass}
        >
          Where it comes from
        </Link>
      )}
    </div>
  )
}
