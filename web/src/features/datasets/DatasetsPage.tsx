import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useRefresh } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import { GuardedPage, NeedsRole } from '@/shared/roles'
import { Button, FolderPath, IconButton } from '@/shared/ui'
import { DatasetDialog, type Edited } from './components/DatasetDialog'
import { DatasetTable } from './components/DatasetTable'
import { selectionOf } from './model/browse'

/** The datasets of the project in their folders. */
export function DatasetsPage() {
  const { project } = useProject()
  const projectId = project.id
  const refresh = useRefresh(projectId)
  const navigate = useNavigate()
  const selection = selectionOf(useSearch({ from: '/_app/project/$projectId/datasets/' }))
  const [edited, setEdited] = useState<Edited>()
  const create = () => setEdited({ kind: 'new', folder: selection.folder })
  return (
    <GuardedPage
      frame="fill"
      title="Datasets"
      description={
        selection.folder !== undefined && (
          <FolderPath
            folder={selection.folder}
            all="All datasets"
            linkTo={(folder, children) => (
              <Link
                to="/project/$projectId/datasets"
                params={{ projectId }}
                search={folder === undefined ? {} : { folder }}
              >
                {children}
              </Link>
            )}
          />
        )
      }
      permission="datasets:read"
      doing="see the datasets"
      actions={
        <>
          <IconButton
            label="Refresh"
            icon={<RefreshCw aria-hidden />}
            onPress={() => void refresh('datasets')}
          />
          <NeedsRole doing="create datasets" permission="datasets:write">
            <Button variant="primary" icon={<Plus aria-hidden />} onPress={create}>
              New dataset
            </Button>
          </NeedsRole>
        </>
      }
    >
      <DatasetTable
        projectId={projectId}
        selection={selection}
        onFolder={(folder) =>
          void navigate({
            to: '/project/$projectId/datasets',
            params: { projectId },
            search: { folder },
          })
        }
        onCreate={create}
        onEdit={(id) => setEdited({ kind: 'change', id })}
      />
      <DatasetDialog projectId={projectId} edited={edited} onClose={() => setEdited(undefined)} />
    </GuardedPage>
  )
}
