import { Link, useNavigate } from '@tanstack/react-router'
import { Ellipsis, Play, Plus, ScrollText, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useProject } from '@/shared/currentUser'
import { useSearchState } from '@/shared/lib/useSearchState'
import { usePromptVersions } from '@/shared/prompts'
import { buttonClass, IconButton, Menu } from '@/shared/ui'
import { chosenVersion } from '../model/chosen'
import { DeleteDialog, type Deleting } from './DeleteDialog'

/** What can be done with a prompt and its chosen version. */
export function PromptActions({ projectId, name }: { projectId: string; name: string }) {
  const { can } = useProject()
  const navigate = useNavigate()
  const [search] = useSearchState()
  const [deleting, setDeleting] = useState<Deleting>()
  const versions = usePromptVersions(projectId, name)
  const head = versions.data?.pages[0]
  const chosen = chosenVersion(search, head)
  if (!head || chosen.kind !== 'version') return null
  const { version } = chosen
  const mayDelete = can('prompts:delete')
  const mayAudit = can('audit:read')
  return (
    <>
      {can('playground:run') && (
        <Link
          to="/project/$projectId/playground"
          params={{ projectId }}
          search={{ prompt: name, version: String(version) }}
          className={buttonClass('secondary', 'md')}
        >
          <Play aria-hidden />
          Open in playground
        </Link>
      )}
      {can('prompts:write') && (
        <Link
          to="/project/$projectId/prompts/new"
          params={{ projectId }}
          search={{ name, version: String(version) }}
          className={buttonClass('primary', 'md')}
        >
          <Plus aria-hidden />
          New version
        </Link>
      )}
      {(mayDelete || mayAudit) && (
        <Menu
          label="More"
          placement="bottom end"
          trigger={<IconButton label="More" icon={<Ellipsis aria-hidden />} />}
          actions={[
            mayAudit && {
              id: 'audit',
              label: 'Changes of prompts in the audit log',
              icon: <ScrollText aria-hidden />,
              onAction: () =>
                void navigate({
                  to: '/project/$projectId/settings/audit-logs',
                  params: { projectId },
                  search: { resourceType: 'prompt' },
                }),
            },
            mayDelete && {
              id: 'version',
              label: `Delete version ${version}`,
              icon: <Trash2 aria-hidden />,
              isDanger: true,
              startsGroup: mayAudit,
              onAction: () => setDeleting({ version }),
            },
            mayDelete && {
              id: 'all',
              label: 'Delete the prompt',
              icon: <Trash2 aria-hidden />,
              isDanger: true,
              onAction: () => setDeleting({ version: undefined }),
            },
          ]}
        />
      )}
      <DeleteDialog
        projectId={projectId}
        name={name}
        head={head}
        deleting={deleting}
        onClose={() => setDeleting(undefined)}
      />
    </>
  )
}
