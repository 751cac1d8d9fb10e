import { useState } from 'react'
import { messageOf } from '@/shared/api'
import { SubmitForm } from '@/shared/forms'
import { Callout, Checkbox, Dialog, TextField, toast } from '@/shared/ui'
import { useSavePrompt } from '../api/useSavePrompt'
import type { Pane, PromptLink } from '../model/state'
import { toPrompt, type PromptContent } from '../model/toPrompt'

type SavePromptDialogProps = {
  projectId: string
  pane: Pane
  isOpen: boolean
  onClose: () => void
  onSaved: (prompt: PromptLink) => void
}

/** Saves a window as a version of a prompt, with its model, parameters, tools and schema as the config. */
export function SavePromptDialog(props: SavePromptDialogProps) {
  return (
    <Dialog title="Save as a prompt version" isOpen={props.isOpen} onClose={props.onClose}>
      {props.isOpen && <SavePromptForm {...props} />}
    </Dialog>
  )
}

function SavePromptForm({ projectId, pane, onClose, onSaved }: SavePromptDialogProps) {
  const [name, setName] = useState(pane.prompt?.name ?? '')
  const [message, setMessage] = useState('')
  const [isProduction, setIsProduction] = useState(false)
  const save = useSavePrompt(projectId)
  let content: PromptContent | undefined
  let problem: string | undefined
  try {
    content = toPrompt(pane)
  } catch (error) {
    problem = messageOf(error)
  }
  return (
    <SubmitForm
      action="Save version"
      isDisabled={name.trim() === '' || content === undefined}
      isPending={save.isPending}
      error={problem ?? save.error}
      onSubmit={() => {
        if (!content) return
        save.mutate(
          {
            name: name.trim(),
            content,
            labels: isProduction ? ['production'] : [],
            commitMessage: message.trim(),
          },
          {
            onSuccess: (saved) => {
              onSaved(saved)
              toast(`Saved as version ${saved.version} of ${saved.name}`)
              onClose()
            },
          },
        )
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        maxLength={1000}
        autoFocus={pane.prompt === null}
        autoComplete="off"
        description="Of a prompt that exists, this becomes the next version."
      />
      <TextField
        label="What changed"
        value={message}
        onChange={setMessage}
        maxLength={500}
        autoFocus={pane.prompt !== null}
        autoComplete="off"
      />
      <Checkbox
        isSelected={isProduction}
        onChange={setIsProduction}
        description="Applications that ask for the prompt get this version from now on."
      >
        Label it production
      </Checkbox>
      {content && content.lost.length > 0 && (
        <Callout tone="warning">
          A prompt cannot hold {content.lost.join(' and ')}, so these are left out.
        </Callout>
      )}
    </SubmitForm>
  )
}
