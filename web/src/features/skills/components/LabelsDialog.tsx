import { useState } from 'react'
import { SubmitForm } from '@/shared/forms'
import { Dialog, TextField, toast } from '@/shared/ui'
import { useSetSkillLabels } from '../api/useSkills'
import type { Skill } from '../model/files'
import { labelsIn } from '../model/labels'

type LabelsDialogProps = { projectId: string; skill: Skill; isOpen: boolean; onClose: () => void }

/** The labels of a version: other versions lose them. */
export function LabelsDialog(props: LabelsDialogProps) {
  return (
    <Dialog
      title={`Labels of version ${props.skill.version}`}
      isOpen={props.isOpen}
      onClose={props.onClose}
    >
      {props.isOpen && <Fields {...props} />}
    </Dialog>
  )
}

function Fields({ projectId, skill, onClose }: LabelsDialogProps) {
  const [text, setText] = useState(skill.labels.filter((label) => label !== 'latest').join(', '))
  const save = useSetSkillLabels(projectId, skill.name, skill.version)
  const { labels, problem } = labelsIn(text)
  return (
    <SubmitForm
      action="Save labels"
      isDisabled={problem !== undefined}
      isPending={save.isPending}
      error={save.error}
      onSubmit={() =>
        save.mutate(labels, {
          onSuccess: () => {
            toast('Labels saved')
            onClose()
          },
        })
      }
      onClose={onClose}
    >
      <TextField
        label="Labels"
        description="Separated by commas, such as production. Other versions lose them."
        value={text}
        onChange={setText}
        autoFocus
        autoComplete="off"
        mono
        error={problem}
      />
    </SubmitForm>
  )
}
