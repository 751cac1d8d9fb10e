import { useNavigate } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { projectKey, useRefresh } from '@/shared/api'
import { ConfirmChange } from '@/shared/forms'
import { countOf } from '@/shared/lib/format'
import {
  givenLabels,
  usePromptDependents,
  usePromptVersion,
  type PromptDependent,
  type PromptVersionsPage,
} from '@/shared/prompts'
import { toast } from '@/shared/ui'
import { useDeletePrompt } from '../api/changes'
import { Dependents } from './Dependents'

/** A version, or all of them. */
export type Deleting = { version: number | undefined }

type DeleteDialogProps = {
  projectId: string
  name: string
  head: PromptVersionsPage
  deleting: Deleting | undefined
  onClose: () => void
}

/** Asks before versions are deleted: says what is deleted, and what refers to it. */
export function DeleteDialog({ projectId, name, head, deleting, onClose }: DeleteDialogProps) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const refresh = useRefresh(projectId)
  const remove = useDeletePrompt(projectId, name)
  const dependents = usePromptDependents(projectId, name, deleting !== undefined)
  const version = deleting?.version
  const isNewest = version !== undefined && head.newest === version
  const shown = usePromptVersion(projectId, name, version)
  const labels = givenLabels(
    version === undefined
      ? Object.keys(head.labels)
      : Object.keys(head.labels).filter((label) => head.labels[label] === version),
  )
  const found = (dependents.data ?? []).filter((each) => isConcerned(each, version, labels))
  const what = version === undefined ? `the prompt ${name}` : `version ${version}`
  const message = shown.data?.commitMessage
  return (
    <ConfirmChange
      title={version === undefined ? 'Delete the prompt?' : `Delete version ${version}?`}
      action={version === undefined ? 'Delete prompt' : `Delete version ${version}`}
      change={remove}
      variables={deleting}
      onClose={onClose}
      onDone={async () => {
        toast(version === undefined ? 'Prompt deleted' : `Version ${version} deleted`, {
          description: 'It can be restored for 30 days from the list of prompts.',
        })
        if (version === undefined || head.versions.length === 1) {
          // The page is left first: it would ask for what is no more.
          await navigate({
            to: '/project/$projectId/prompts',
            params: { projectId },
          })
          client.removeQueries({ queryKey: projectKey(projectId, 'prompts') })
        } else {
          await navigate({
            to: '/project/$projectId/prompts/$promptName',
            params: { projectId, promptName: name },
            search: {},
          })
          await refresh('prompts')
        }
      }}
    >
      <div className="flex flex-col gap-2">
        <p className="break-words">
          {version === undefined ? (
            <>
              All {countOf(head.total, 'version')} of{' '}
              <bdi className="font-mono text-sm">{name}</bdi> are deleted.
            </>
          ) : (
            <>
              Version {version} of <bdi className="font-mono text-sm">{name}</bdi>
              {message ? <>, “{message}”,</> : null} is deleted.
              {isNewest &&
                head.versions.length > 1 &&
                ' The label latest goes to the version before.'}
            </>
          )}
        </p>
        {labels.length > 0 && (
          <p>
            {labels.length === 1 ? 'Its label' : 'Its labels'} {labels.join(', ')}{' '}
            {labels.length === 1 ? 'goes' : 'go'} with it: applications that ask for{' '}
            {labels.length === 1 ? 'it' : 'them'} get an error.
          </p>
        )}
        {found.length > 0 && (
          <div>
            <p className="font-medium text-text-1">
              Other prompts refer to {what}, so it cannot be deleted:
            </p>
            <Dependents projectId={projectId} dependents={found} />
          </div>
        )}
        <p>It can be restored for 30 days.</p>
      </div>
    </ConfirmChange>
  )
}

/** Whether a reference would lead nowhere. */
function isConcerned(
  { by }: PromptDependent,
  version: number | undefined,
  labels: readonly string[],
): boolean {
  if (version === undefined) return true
  return by.version === version || (by.label !== undefined && labels.includes(by.label))
}
