import { useState } from 'react'
import { Dialog, TextField } from '@/shared/ui'
import { SubmitForm } from '@/shared/forms'
import { useTestConnection, type Connection } from '../api/useConnections'
import { TestResult } from './TestResult'

type TestDialogProps = {
  projectId: string
  connection: Connection | undefined
  onClose: () => void
}

/** Makes a test call with a stored connection. */
export function TestDialog({ projectId, connection, onClose }: TestDialogProps) {
  return (
    <Dialog
      title={`Test ${connection?.provider ?? ''}`}
      isOpen={connection !== undefined}
      onClose={onClose}
    >
      {connection && <TestForm projectId={projectId} connection={connection} onClose={onClose} />}
    </Dialog>
  )
}

function TestForm({
  projectId,
  connection,
  onClose,
}: {
  projectId: string
  connection: Connection
  onClose: () => void
}) {
  const test = useTestConnection(projectId)
  const [model, setModel] = useState(connection.customModels[0] ?? '')
  return (
    <SubmitForm
      action="Send test request"
      isPending={test.isPending}
      onSubmit={() =>
        test.mutate({
          provider: connection.provider,
          ...(model.trim() !== '' && { model: model.trim() }),
        })
      }
      onClose={onClose}
      close="Close"
    >
      <TextField
        label="Model"
        value={model}
        onChange={setModel}
        mono
        autoFocus
        autoComplete="off"
        description="The server asks the model for a one-word reply; the provider may charge a little for it."
      />
      <TestResult test={test} />
    </SubmitForm>
  )
}
