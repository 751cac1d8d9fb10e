import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '@/shared/currentUser'
import { Editor } from '@/shared/editor'
import { QueryView } from '@/shared/errors'
import { SubmitForm, useForm } from '@/shared/forms'
import { prettyText } from '@/shared/io'
import {
  Badge,
  Button,
  Dialog,
  DialogActions,
  Identifier,
  linkClass,
  Time,
  toast,
} from '@/shared/ui'
import { useItem, useSaveItem } from '../api/useItems'
import { itemChange, itemDraft, newItem, type ItemDetails, type ItemDraft } from '../model/items'

type ItemDialogProps = {
  projectId: string
  datasetId: string
  /** The id of an item, or 'new' without one; the dialog is open while it is defined. */
  item: { id: string } | 'new' | undefined
  onClose: () => void
}

/** A new item, or one with its whole values; who may write changes them. */
export function ItemDialog({ projectId, datasetId, item, onClose }: ItemDialogProps) {
  return (
    <Dialog
      title={item === 'new' ? 'New item' : 'Item'}
      isOpen={item !== undefined}
      onClose={onClose}
      size="lg"
    >
      {item === 'new' && (
        <ItemForm projectId={projectId} datasetId={datasetId} item={undefined} onClose={onClose} />
      )}
      {typeof item === 'object' && (
        <LoadedItem
          key={item.id}
          projectId={projectId}
          datasetId={datasetId}
          itemId={item.id}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

type LoadedItemProps = {
  projectId: string
  datasetId: string
  itemId: string
  onClose: () => void
}

function LoadedItem({ itemId, ...rest }: LoadedItemProps) {
  const item = useItem(rest.projectId, rest.datasetId, itemId)
  return (
    <QueryView query={item} what="the item" skeleton="h-64 w-full">
      {(found) => <ItemForm {...rest} item={found} />}
    </QueryView>
  )
}

type ItemFormProps = {
  projectId: string
  datasetId: string
  item: ItemDetails | undefined
  onClose: () => void
}

const json = { kind: 'json' } as const

function ItemForm({ projectId, datasetId, item, onClose }: ItemFormProps) {
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
  const facts = opened && <ItemFacts projectId={projectId} item={opened} />
  if (!can('datasets:write'))
    return (
      <div className="flex flex-col gap-4">
        {facts}
        <Editor label="Input" value={initial.input} mode={json} maxRows={14} />
        <Editor label="Expected output" value={initial.expectedOutput} mode={json} maxRows={14} />
        <Editor label="Metadata" value={initial.metadata} mode={json} minRows={2} maxRows={8} />
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
              onClose()
            },
          }),
        )
      }
      onClose={onClose}
    >
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
