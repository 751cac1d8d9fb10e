import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { LoadError } from '@/shared/errors'
import { SubmitForm, useForm } from '@/shared/forms'
import { useScoreConfigs, type ScoreConfig } from '@/shared/scoring'
import { Dialog, linkClass, MultiSelect, Skeleton, TextField, toast } from '@/shared/ui'
import { useChangeQueue, useCreateQueue } from '../api/useQueues'
import {
  inOrder,
  queueDraft,
  queueProblems,
  type QueueDetails,
  type QueueDraft,
} from '../model/queue'

type QueueDialogProps = {
  projectId: string
  /** A new queue, or the one to change; the dialog is open while it is defined. */
  edited: 'new' | QueueDetails | undefined
  onClose: () => void
}

/** Creates an annotation queue, or changes its name, its instructions and what is scored. */
export function QueueDialog({ projectId, edited, onClose }: QueueDialogProps) {
  return (
    <Dialog
      title={edited === 'new' ? 'New annotation queue' : 'Edit annotation queue'}
      isOpen={edited !== undefined}
      onClose={onClose}
    >
      {edited !== undefined && (
        <Loaded
          projectId={projectId}
          queue={edited === 'new' ? undefined : edited}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

type FormProps = { projectId: string; queue: QueueDetails | undefined; onClose: () => void }

function Loaded(props: FormProps) {
  const configs = useScoreConfigs(props.projectId)
  if (configs.isError) return <LoadError title="Couldn’t load the score configs" query={configs} />
  if (!configs.data) return <Skeleton className="h-40 w-full" />
  const chosen = props.queue?.scoreConfigIds ?? []
  return (
    <QueueForm
      {...props}
      configs={configs.data.filter(({ id, isArchived }) => !isArchived || chosen.includes(id))}
    />
  )
}

function QueueForm({ projectId, queue, configs, onClose }: FormProps & { configs: ScoreConfig[] }) {
  const create = useCreateQueue(projectId)
  const change = useChangeQueue(projectId)
  // What is edited stays as it was opened, also if it is loaded again meanwhile.
  const [initial] = useState<QueueDraft>(() => queueDraft(queue))
  const form = useForm<QueueDraft>({
    initial,
    check: queueProblems,
    error: queue ? change.error : create.error,
  })
  const send = (draft: QueueDraft) => {
    const done = (what: string) => () => {
      toast(what)
      onClose()
    }
    const given = { ...draft, name: draft.name.trim() }
    if (queue)
      change.mutate({ queueId: queue.id, change: given }, { onSuccess: done('Queue changed') })
    else create.mutate(given, { onSuccess: done('Queue created') })
  }
  return (
    <SubmitForm
      action={queue ? 'Save' : 'Create queue'}
      isPending={create.isPending || change.isPending}
      error={form.error}
      onSubmit={() => form.submit(send)}
      onClose={onClose}
    >
      <TextField
        {...form.field('name')}
        label="Name"
        maxLength={1000}
        autoFocus
        autoComplete="off"
      />
      <TextField
        {...form.field('description')}
        label="Instructions"
        description="They are shown to whoever reviews."
        rows={3}
        maxLength={10_000}
      />
      {configs.length === 0 ? (
        <p className="text-sm text-text-2">
          What is scored is described by score configs, and this project has none yet.{' '}
          <Link
            to="/project/$projectId/settings/scores"
            params={{ projectId }}
            className={linkClass}
          >
            Create one
          </Link>
        </p>
      ) : (
        <MultiSelect
          label="What is scored"
          options={configs.map(({ id, name, description }) => ({
            id,
            label: name,
            description: description ?? undefined,
          }))}
          value={form.values.scoreConfigIds}
          onChange={(chosen) =>
            form.change({ scoreConfigIds: inOrder(form.values.scoreConfigIds, chosen) })
          }
          error={form.errorAt('scoreConfigIds')}
        />
      )}
    </SubmitForm>
  )
}
