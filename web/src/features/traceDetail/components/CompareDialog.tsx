import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Dialog, TextField } from '@/shared/ui'
import { SubmitForm } from '@/shared/forms'

type CompareDialogProps = {
  projectId: string
  traceId: string
  isOpen: boolean
  onClose: () => void
}

/** Asks for the trace to compare with. */
export function CompareDialog(props: CompareDialogProps) {
  return (
    <Dialog title="Compare with another trace" isOpen={props.isOpen} onClose={props.onClose}>
      {props.isOpen && <CompareForm {...props} />}
    </Dialog>
  )
}

function CompareForm({ projectId, traceId, onClose }: CompareDialogProps) {
  const navigate = useNavigate()
  const [other, setOther] = useState('')
  const [wasTried, setTried] = useState(false)
  const wanted = other.trim()
  const go = () => {
    setTried(true)
    if (wanted === '') return
    onClose()
    void navigate({
      to: '/project/$projectId/traces/compare',
      params: { projectId },
      search: { a: traceId, b: wanted },
    })
  }
  return (
    <SubmitForm action="Compare" onSubmit={go} onClose={onClose}>
      <TextField
        label="Id of the other trace"
        mono
        autoFocus
        value={other}
        onChange={setOther}
        error={wasTried && wanted === '' ? 'Paste an id.' : undefined}
      />
    </SubmitForm>
  )
}
