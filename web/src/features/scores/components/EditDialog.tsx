import { useState } from 'react'
import { useForm } from '@/features/forms'
import { Button, Dialog, FormLayout, Select, TextField, toast } from '@/ui'
import { useChangeScore, type Score } from '../api/useScores'
import { editRequest, toValues, valueProblem, type ScoreValues } from '../model/edit'

type EditDialogProps = { projectId: string; score: Score | undefined; onClose: () => void }

/** Changes the value and the comment of a score. */
export function EditDialog({ projectId, score, onClose }: EditDialogProps) {
  return (
    <Dialog
      title={score ? `Edit ${score.name.slice(0, 100)}` : 'Edit score'}
      isOpen={score !== undefined}
      onClose={onClose}
    >
      {score && <EditForm projectId={projectId} score={score} onClose={onClose} />}
    </Dialog>
  )
}

function EditForm({ projectId, score, onClose }: EditDialogProps & { score: Score }) {
  const change = useChangeScore(projectId)
  const [initial] = useState(() => toValues(score))
  const form = useForm<ScoreValues>({
    initial,
    check: ({ value }) => ({ value: valueProblem(score.dataType, value) }),
    error: change.error,
  })
  const send = (values: ScoreValues) =>
    change.mutate(editRequest(score, values), {
      onSuccess: () => {
        toast('Score changed')
        onClose()
      },
    })
  return (
    <FormLayout
      wide
      error={form.error}
      onSubmit={() => form.submit(send)}
      actions={
        <>
          <Button type="submit" variant="primary" isPending={change.isPending}>
            Save
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </>
      }
    >
      {score.dataType === 'BOOLEAN' ? (
        <Select
          label="Value"
          options={[
            { id: '1', label: 'Yes' },
            { id: '0', label: 'No' },
          ]}
          value={form.values.value}
          onChange={(value) => form.change({ value })}
          error={form.errorAt('value')}
        />
      ) : (
        <TextField
          label="Value"
          {...form.field('value')}
          inputMode={score.dataType === 'NUMERIC' ? 'decimal' : undefined}
          rows={score.dataType === 'TEXT' || score.dataType === 'CORRECTION' ? 4 : undefined}
        />
      )}
      <TextField label="Comment" rows={3} {...form.field('comment')} />
    </FormLayout>
  )
}
