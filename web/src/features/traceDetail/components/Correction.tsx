import { Pencil, Trash2 } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { messageOf } from '@/shared/api'
import { useMemberNames } from '@/shared/comments'
import { useProject } from '@/shared/currentUser'
import { Diff } from '@/shared/diff'
import { LoadError } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { formatBytes } from '@/shared/lib/format'
import { mayEdit, sourceLabel, useDeleteScores, usePutScore } from '@/shared/scoring'
import { Badge, Button, Callout, IconButton, TextField, Time, toast } from '@/shared/ui'
import { useCorrection } from '../api/useCorrection'
import { useWholeText } from '../api/useWholeText'
import { correctionOf, editableOutput, longestCorrected } from '../model/correction'
import type { Detail, TextField as Field } from '../model/wire'

type CorrectionProps = {
  projectId: string
  detail: Detail
  /** The field with the output. */
  field: Field
  /** Undefined if the output is that of the trace. */
  observationId: string | undefined
  environment: string
  /** Whether there may be a correction already. */
  mayExist: boolean
}

/** What the output should have been, as its difference from the output, and a way to say so. */
export function Correction(props: CorrectionProps) {
  const { projectId, detail, field, observationId, environment } = props
  const { can } = useProject()
  const subject = { traceId: detail.traceId, observationId, environment }
  const correction = useCorrection(projectId, subject, props.mayExist && can('scores:read'))
  const nameOfMember = useMemberNames(projectId)
  const remove = useDeleteScores(projectId)
  const [isEdited, setEdited] = useState(false)
  const [deleted, setDeleted] = useState<string>()
  const beginning = detail.texts[field] ?? ''
  const size = detail.cut[field]?.bytes ?? beginning.length
  const isShort = size <= longestCorrected
  const { whole } = useWholeText(
    { projectId, traceId: detail.traceId, observationId: detail.id, field },
    { updatedAt: detail.updatedAt, beginning },
    detail.cut[field] !== undefined && isShort && (isEdited || Boolean(correction.data)),
  )
  const output = detail.cut[field] === undefined ? beginning : whole.data
  const before = correction.data ?? undefined
  if (correction.isError)
    return <LoadError title="Couldn’t load the correction" query={correction} />
  if (whole.isError) return <LoadError title="Couldn’t load the output" query={whole} />
  if (isEdited && output !== undefined)
    return (
      <Editor
        projectId={projectId}
        output={editableOutput(output)}
        start={before ? String(before.value) : editableOutput(output)}
        toScore={(value) => correctionOf(subject, value, before)}
        onClose={() => setEdited(false)}
      />
    )
  if (!before)
    return can('scores:write') && isShort ? (
      <div>
        <Button
          size="sm"
          variant="ghost"
          icon={<Pencil aria-hidden />}
          isPending={isEdited}
          onPress={() => setEdited(true)}
        >
          Correct output
        </Button>
      </div>
    ) : null
  return (
    <section aria-label="Corrected output" className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <h3 className="font-medium">Corrected output</h3>
        <Badge>
          {typeof before.authorUserId === 'string'
            ? `By ${nameOfMember(before.authorUserId)}`.slice(0, 200)
            : sourceLabel(before.source)}
        </Badge>
        <span className="text-sm text-text-3">
          <Time at={before.timestamp} />
        </span>
        <span className="ml-auto flex">
          {can('scores:write') && isShort && (
            <IconButton
              size="sm"
              label={mayEdit(before) ? 'Edit the correction' : 'Correct output'}
              icon={<Pencil aria-hidden />}
              onPress={() => setEdited(true)}
            />
          )}
          {can('scores:delete') && (
            <IconButton
              size="sm"
              label="Delete the correction"
              icon={<Trash2 aria-hidden />}
              onPress={() => setDeleted(before.id)}
            />
          )}
        </span>
      </div>
      {!isShort ? (
        <p className="text-text-3">
          The output has {formatBytes(size)}, too much to show the difference. Scores has the
          correction.
        </p>
      ) : (
        output !== undefined && (
          <Diff
            label="Corrected output"
            before={editableOutput(output)}
            after={String(before.value)}
            names={['Output', 'Corrected']}
          />
        )
      )}
      <ConfirmChange
        title="Delete the correction"
        action="Delete correction"
        change={remove}
        variables={deleted === undefined ? undefined : [deleted]}
        onClose={() => setDeleted(undefined)}
        onDone={() => toast('Correction deleted')}
      >
        This cannot be undone.
      </ConfirmChange>
    </section>
  )
}

type EditorProps = {
  projectId: string
  output: string
  start: string
  toScore: (value: string) => ReturnType<typeof correctionOf>
  onClose: () => void
}

function Editor({ projectId, output, start, toScore, onClose }: EditorProps) {
  const put = usePutScore(projectId)
  const [typed, setTyped] = useState(start)
  // Typing does not wait for the difference.
  const compared = useDeferredValue(typed)
  return (
    <section
      aria-label="Correct output"
      className="flex min-w-0 flex-col gap-2 rounded-md border border-border p-3"
    >
      <TextField
        label="Corrected output"
        rows={10}
        mono
        maxLength={longestCorrected}
        value={typed}
        onChange={setTyped}
      />
      {compared !== output && (
        <Diff
          label="Corrected output"
          before={output}
          after={compared}
          names={['Output', 'Corrected']}
        />
      )}
      {put.isError && (
        <Callout tone="danger">Couldn’t save the correction: {messageOf(put.error)}</Callout>
      )}
      <div className="flex gap-2">
        <Button
          variant="primary"
          isPending={put.isPending}
          isDisabled={typed === start}
          onPress={() =>
            put.mutate(toScore(typed), {
              onSuccess: () => {
                toast('Correction saved')
                onClose()
              },
            })
          }
        >
          Save correction
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </section>
  )
}
