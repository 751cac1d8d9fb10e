import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { BookOpen, Plus, RefreshCw } from 'lucide-react'
import { useRefresh } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import { useSearchState } from '@/shared/lib/useSearchState'
import { GuardedPage, NeedsRole } from '@/shared/roles'
import { buttonClass, FolderPath, IconButton } from '@/shared/ui'
import { DeletedDialog } from './components/DeletedDialog'
import { ImportDialog } from './components/ImportDialog'
import { MoreMenu } from './components/MoreMenu'
import { PromptTable } from './components/PromptTable'
import { selectionOf } from './model/browse'

/** The prompts of the project in their folders. */
export function PromptsPage() {
  const { project, can } = useProject()
  const refresh = useRefresh(project.id)
  const [, change] = useSearchState()
  const search = useSearch({ from: '/_app/project/$projectId/prompts/' })
  const navigate = useNavigate()
  const selection = selectionOf(search)
  const mayWrite = can('prompts:write')
  const close = () => change({ dialog: undefined }, { replace: true })
  return (
    <GuardedPage
      frame="fill"
      title="Prompts"
      description={
        selection.folder !== undefined && (
          <FolderPath
            folder={selection.folder}
            all="All prompts"
            linkTo={(folder, children) => (
              <Link
                to="/project/$projectId/prompts"
                params={{ projectId: project.id }}
                search={folder === undefined ? {} : { folder }}
              >
                {children}
              </Link>
            )}
          />
        )
      }
      permission="prompts:read"
      doing="see the prompts"
      actions={
        <>
          <IconButton
            label="Refresh"
            icon={<RefreshCw aria-hidden />}
            onPress={() => void refresh('prompts')}
          />
          <Link
            to="/project/$projectId/skills"
            params={{ projectId: project.id }}
            className={buttonClass('ghost', 'md')}
          >
            <BookOpen aria-hidden /> Skills
          </Link>
          <MoreMenu
            projectId={project.id}
            folder={selection.folder}
            mayWrite={mayWrite}
            onOpen={(dialog) => change({ dialog })}
          />
          <NeedsRole doing="create prompts" permission="prompts:write">
            <Link
              to="/project/$projectId/prompts/new"
              params={{ projectId: project.id }}
              search={{ folder: selection.folder }}
              className={buttonClass('primary', 'md')}
            >
              <Plus aria-hidden /> New prompt
            </Link>
          </NeedsRole>
        </>
      }
    >
      <PromptTable
        projectId={project.id}
        selection={selection}
        onFolder={(folder) =>
          void navigate({
            to: '/project/$projectId/prompts',
            params: { projectId: project.id },
            search: { folder },
          })
        }
      />
      <DeletedDialog
        projectId={project.id}
        isOpen={search.dialog === 'deleted'}
        mayWrite={mayWrite}
        onClose={close}
      />
      <ImportDialog
        projectId={project.id}
        isOpen={search.dialog === 'import' && mayWrite}
        onClose={close}
      />
    </GuardedPage>
  )
}
