import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ApiError } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import { LoadError } from '@/shared/errors'
import { usePromptVersion, usePromptVersions } from '@/shared/prompts'
import { GuardedPage, NeedsRole } from '@/shared/roles'
import { useSearchState } from '@/shared/lib/useSearchState'
import { Badge, EmptyState, linkClass, Skeleton, Tabs } from '@/shared/ui'
import { CommentsTab } from './components/CommentsTab'
import { ContentTab } from './components/ContentTab'
import { FiguresTab } from './components/FiguresTab'
import { GenerationsTab } from './components/GenerationsTab'
import { PromptActions } from './components/PromptActions'
import { PromptTags } from './components/PromptTags'
import { UseTab } from './components/UseTab'
import { VersionHeader } from './components/VersionHeader'
import { VersionList } from './components/VersionList'
import { chosenVersion, tabIn, versionIn, type TabId } from './model/chosen'

/** One prompt: its versions, and all that belongs to the chosen one. */
export function PromptPage() {
  const { project } = useProject()
  const params = useParams({ from: '/_app/project/$projectId/prompts/$promptName' })
  const name = params.promptName.trim() // the server stores names trimmed
  return (
    <GuardedPage
      frame="page"
      title={name}
      description={<Folders projectId={project.id} name={name} />}
      actions={<PromptActions key={name} projectId={project.id} name={name} />}
      permission="prompts:read"
      doing="see prompts"
    >
      <PromptView key={name} projectId={project.id} name={name} />
    </GuardedPage>
  )
}

/** The folders that the prompt is in, each a link to its list. */
function Folders({ projectId, name }: { projectId: string; name: string }) {
  const parts = name.split('/').slice(0, -1)
  return (
    <nav aria-label="Folders" className="flex flex-wrap gap-x-1 text-sm">
      <Link to="/project/$projectId/prompts" params={{ projectId }} className={linkClass}>
        Prompts
      </Link>
      {parts.map((part, at) => {
        const folder = parts.slice(0, at + 1).join('/')
        return (
          <span key={folder} className="min-w-0 break-words">
            /{' '}
            <Link
              to="/project/$projectId/prompts"
              params={{ projectId }}
              search={{ folder }}
              className={linkClass}
            >
              {part}
            </Link>
          </span>
        )
      })}
    </nav>
  )
}

type PromptViewProps = { projectId: string; name: string }

function PromptView({ projectId, name }: PromptViewProps) {
  const [search] = useSearchState()
  const { can } = useProject()
  const versions = usePromptVersions(projectId, name)
  const head = versions.data?.pages[0]
  const chosen = chosenVersion(search, head)
  const version = chosen.kind === 'version' ? chosen.version : undefined
  const diff = versionIn(search.diff)
  if (versions.isError && !head) {
    if (versions.error instanceof ApiError && versions.error.status === 404)
      return (
        <EmptyState title="There is no prompt of this name">
          It may have been deleted, or have another name: names cannot be changed. Deleted prompts
          can be restored for 30 days from the list of prompts.
        </EmptyState>
      )
    return <LoadError title="Couldn’t load the versions" query={versions} />
  }
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
        {head ? (
          <>
            <Badge>{head.type}</Badge>
            <PromptTags projectId={projectId} name={name} tags={head.tags} />
          </>
        ) : (
          <Skeleton className="h-6 w-48" />
        )}
        {!can('prompts:write') && <NeedsRole doing="change prompts" permission="prompts:write" />}
      </div>
      <div className="grid min-w-0 gap-x-6 gap-y-4 lg:grid-cols-[18rem_minmax(0,1fr)]">
        <VersionList
          projectId={projectId}
          name={name}
          newest={head?.newest}
          shown={version}
          compared={diff}
        />
        {chosen.kind === 'missing' ? (
          <EmptyState title="There is no such version">{chosen.why}</EmptyState>
        ) : version === undefined || !head ? (
          <Skeleton className="h-64" />
        ) : (
          <VersionView
            projectId={projectId}
            name={name}
            version={version}
            diff={diff}
            head={head}
          />
        )}
      </div>
    </div>
  )
}

type VersionViewProps = PromptViewProps & {
  version: number
  diff: number | undefined
  head: NonNullable<ReturnType<typeof usePromptVersions>['data']>['pages'][number]
}

function VersionView({ projectId, name, version, diff, head }: VersionViewProps) {
  const [search] = useSearchState()
  const { can } = useProject()
  const navigate = useNavigate()
  const shown = usePromptVersion(projectId, name, version)
  if (!shown.data) {
    if (shown.isError && shown.error instanceof ApiError && shown.error.status === 404)
      return (
        <EmptyState title={`There is no version ${version}`}>
          It may have been deleted. Choose another one from the list.
        </EmptyState>
      )
    return shown.isError ? (
      <LoadError title="Couldn’t load this version" query={shown} />
    ) : (
      <Skeleton className="h-64" />
    )
  }
  const prompt = shown.data
  const asked = tabIn(search.tab)
  const all: { id: TabId; label: string; needs?: string }[] = [
    { id: 'prompt', label: 'Prompt' },
    { id: 'metrics', label: 'Figures', needs: 'traces:read' },
    { id: 'linked-generations', label: 'Generations', needs: 'traces:read' },
    { id: 'use-prompt', label: 'Use it' },
    {
      id: 'comments',
      label: prompt.commentCount > 0 ? `Comments (${prompt.commentCount})` : 'Comments',
      needs: 'comments:read',
    },
  ]
  const tabs = all.filter(({ needs }) => needs === undefined || can(needs))
  const tab = tabs.some(({ id }) => id === asked) ? asked : 'prompt'
  const content = () => {
    switch (tab) {
      case 'prompt':
        return <ContentTab projectId={projectId} prompt={prompt} diff={diff} head={head} />
      case 'metrics':
        return <FiguresTab projectId={projectId} name={name} version={version} head={head} />
      case 'linked-generations':
        return <GenerationsTab projectId={projectId} name={name} version={version} />
      case 'use-prompt':
        return <UseTab prompt={prompt} />
      case 'comments':
        return <CommentsTab projectId={projectId} prompt={prompt} />
    }
  }
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <VersionHeader projectId={projectId} prompt={prompt} head={head} />
      <Tabs
        label="What to show of this version"
        value={tab}
        onChange={(next) =>
          void navigate({
            to: '.',
            // Columns and sort order belong to the table of one tab.
            search: (before: object) => ({
              ...before,
              tab: next === 'prompt' ? undefined : next,
              diff: undefined,
              sort: undefined,
              cols: undefined,
              hide: undefined,
              show: undefined,
              pin: undefined,
              w: undefined,
            }),
            resetScroll: false,
          })
        }
        tabs={tabs.map(({ id, label }) => ({ id, label, content: id === tab && content() }))}
      />
    </div>
  )
}
