import { ShieldCheck, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { useProject } from '@/shared/currentUser'
import { QueryTable, toastFailure } from '@/shared/errors'
import { SubmitForm } from '@/shared/forms'
import { labelProblem, usePromptLabels } from '@/shared/prompts'
import { GuardedPage, NeedsRole } from '@/shared/roles'
import { countColumn } from '@/shared/table'
import { Badge, Button, Dialog, EmptyState, TextField, toast } from '@/shared/ui'
import { useProtectLabels } from './api/changes'
import { labelRows, type LabelRow } from './model/labelRows'

/** The labels of prompts that only administrators may move. */
export function ProtectedLabelsPage() {
  const { project, can } = useProject()
  const [isAdding, setAdding] = useState(false)
  const labels = usePromptLabels(project.id)
  const protect = useProtectLabels(project.id)
  const mayProtect = can('project:admin')
  const rows = labels.data && labelRows(labels.data)
  const set = (label: string, isProtected: boolean) => {
    const before = labels.data?.protected ?? []
    protect.mutate(isProtected ? [...before, label] : before.filter((each) => each !== label), {
      onSuccess: () => toast(isProtected ? `${label} is protected` : `${label} is free`),
      onError: toastFailure('The label was not changed'),
    })
  }
  return (
    <GuardedPage
      frame="settings"
      title="Protected labels"
      description="Only administrators of the project give, move and remove a protected label, and delete versions that have one. Members can still write versions. It holds for API keys, too: keys need all permissions for it."
      permission="prompts:read"
      doing="see the labels of prompts"
      actions={
        <NeedsRole doing="protect labels" permission="project:admin">
          <Button icon={<ShieldCheck aria-hidden />} onPress={() => setAdding(true)}>
            Protect a label
          </Button>
        </NeedsRole>
      }
    >
      <QueryTable<LabelRow>
        label="Labels"
        what="the labels"
        query={labels}
        rows={rows}
        rowId={(row) => row.label}
        columns={[
          {
            id: 'label',
            header: 'Label',
            width: 200,
            grows: true,
            required: true,
            sortable: true,
            value: (row) => row.label,
            cell: (row) => <span className="font-mono text-sm">{row.label}</span>,
          },
          countColumn('prompts', 'Prompts', (row) => row.prompts, { sortable: true }),
          {
            id: 'protected',
            header: 'Protection',
            width: 120,
            cell: (row) =>
              row.isProtected && (
                <Badge tone="accent" icon={<ShieldCheck aria-hidden />}>
                  Protected
                </Badge>
              ),
          },
          mayProtect && {
            id: 'change',
            header: 'Change',
            width: 120,
            required: true,
            cell: (row) => (
              <Button
                size="sm"
                variant="ghost"
                icon={row.isProtected ? <ShieldOff aria-hidden /> : <ShieldCheck aria-hidden />}
                aria-label={`${row.isProtected ? 'Stop protecting' : 'Protect'} ${row.label}`}
                isDisabled={protect.isPending}
                onPress={() => set(row.label, !row.isProtected)}
              >
                {row.isProtected ? 'Unprotect' : 'Protect'}
              </Button>
            ),
          },
        ]}
        empty={
          <EmptyState icon={<ShieldCheck aria-hidden />} title="No labels yet">
            Labels mark versions of prompts for a purpose, such as production.
          </EmptyState>
        }
      />
      <Dialog title="Protect a label" isOpen={isAdding} onClose={() => setAdding(false)}>
        {isAdding && (
          <ProtectForm
            projectId={project.id}
            before={labels.data?.protected ?? []}
            onClose={() => setAdding(false)}
          />
        )}
      </Dialog>
    </GuardedPage>
  )
}

type ProtectFormProps = { projectId: string; before: readonly string[]; onClose: () => void }

/** A label may be protected before any version has it. */
function ProtectForm({ projectId, before, onClose }: ProtectFormProps) {
  const [label, setLabel] = useState('')
  const protect = useProtectLabels(projectId)
  const name = label.trim()
  return (
    <SubmitForm
      action="Protect"
      isDisabled={name === '' || labelProblem(name) !== undefined}
      isPending={protect.isPending}
      error={protect.error}
      onSubmit={() =>
        protect.mutate([...new Set([...before, name])], {
          onSuccess: () => {
            toast(`${name} is protected`)
            onClose()
          },
        })
      }
      onClose={onClose}
    >
      <TextField
        label="Label"
        value={label}
        onChange={setLabel}
        maxLength={36}
        autoFocus
        autoComplete="off"
        mono
        error={name === '' ? undefined : labelProblem(name)}
      />
    </SubmitForm>
  )
}
