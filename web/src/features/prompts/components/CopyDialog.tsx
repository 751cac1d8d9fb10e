import { useState } from 'react'
import { SubmitForm } from '@/shared/forms'
import { useSession } from '@/shared/currentUser'
import { Checkbox, Dialog, SegmentedControl, Select, TextField, toast } from '@/shared/ui'
import { useCopyPrompts } from '../api/changes'
import { copyRequest, firstForm, type CopyForm, type CopySource } from '../model/copy'

type CopyDialogProps = { projectId: string; source: CopySource | undefined; onClose: () => void }

/** Copies a prompt or a folder to another name or project. */
export function CopyDialog({ projectId, source, onClose }: CopyDialogProps) {
  return (
    <Dialog
      title={`Copy ${source?.kind === 'folder' ? 'the folder ' : ''}${source?.name ?? ''}`}
      isOpen={source !== undefined}
      onClose={onClose}
    >
      {source && <Fields projectId={projectId} source={source} onClose={onClose} />}
    </Dialog>
  )
}

function Fields({
  projectId,
  source,
  onClose,
}: {
  projectId: string
  source: CopySource
  onClose: () => void
}) {
  const session = useSession()
  const copy = useCopyPrompts(projectId)
  const [form, setForm] = useState(() => firstForm(source, projectId))
  const change = (next: Partial<CopyForm>) => setForm({ ...form, ...next })
  const isFolder = source.kind === 'folder'
  const targets = session.organizations.flatMap((organization) =>
    organization.projects
      .filter((each) => each.permissions.includes('prompts:write'))
      .map((each) => ({
        id: each.id,
        label: each.id === projectId ? 'This project' : `${organization.name} / ${each.name}`,
      })),
  )
  return (
    <SubmitForm
      action="Copy"
      isDisabled={form.to.trim() === ''}
      isPending={copy.isPending}
      error={copy.error}
      onSubmit={() =>
        copy.mutate(copyRequest(source, form, projectId, false), {
          onSuccess: ({ copied }) => {
            toast(
              copied.length === 1
                ? `Copied to ${copied[0]?.to ?? form.to}`
                : `${copied.length} prompts copied`,
            )
            onClose()
          },
        })
      }
      onClose={onClose}
    >
      {targets.length > 1 && (
        <Select
          label="To the project"
          options={targets}
          value={form.target}
          onChange={(target) =>
            change({
              target,
              // In another project the name is most likely free.
              to: target === projectId ? `${source.name}-copy` : source.name,
            })
          }
        />
      )}
      <TextField
        label={isFolder ? 'Folder' : 'Name'}
        value={form.to}
        onChange={(to) => change({ to })}
        maxLength={1000}
        autoFocus
        autoComplete="off"
        description="Slashes make folders."
      />
      <div className="flex flex-col gap-1">
        <span className="text-sm font-medium text-text-2">Versions</span>
        <SegmentedControl
          label="Versions"
          className="self-start"
          options={[
            { id: 'latest', label: 'Only the latest' },
            { id: 'all', label: 'All' },
          ]}
          value={form.versions}
          onChange={(versions) => change({ versions })}
        />
      </div>
      <Checkbox
        isSelected={form.labels === 'keep'}
        onChange={(keeps) => change({ labels: keeps ? 'keep' : 'drop' })}
        description="Such as production: applications that ask for the copy then find it."
      >
        Keep labels
      </Checkbox>
      {isFolder && (
        <Checkbox
          isSelected={form.rewriteReferences}
          onChange={(rewriteReferences) => change({ rewriteReferences })}
          description="References to prompts of the folder then name the copies."
        >
          Let the copies refer to each other
        </Checkbox>
      )}
    </SubmitForm>
  )
}
