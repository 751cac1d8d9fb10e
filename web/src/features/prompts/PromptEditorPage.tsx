import { Navigate, useSearch } from '@tanstack/react-router'
import { ApiError } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import { QueryView } from '@/shared/errors'
import { usePromptVersion, usePromptVersions } from '@/shared/prompts'
import { GuardedPage } from '@/shared/roles'
import { EmptyState } from '@/shared/ui'
import { usePromptOfVersion } from './api/useEditing'
import { PromptEditor } from './components/PromptEditor'
import { draftOf, newDraft } from './model/draft'

/** The editor: of a new prompt, or of a new version of one. */
export function PromptEditorPage() {
  const { project } = useProject()
  const { name, version, promptId, folder } = useSearch({
    from: '/_app/project/$projectId/prompts/new',
  })
  const isVersion = name !== undefined && name !== ''
  return (
    <GuardedPage
      frame="page"
      title={isVersion ? `New version of ${name}` : 'New prompt'}
      permission="prompts:write"
      doing="create prompts and versions of them"
    >
      {promptId !== undefined && !isVersion ? (
        <OfVersion projectId={project.id} versionId={promptId} />
      ) : isVersion ? (
        <NewVersion
          key={`${name} ${version}`}
          projectId={project.id}
          name={name}
          version={versionOf(version)}
        />
      ) : (
        <NewPrompt key={project.id} projectId={project.id} name={folder ? `${folder}/` : ''} />
      )}
    </GuardedPage>
  )
}

function versionOf(text: string | undefined): number | 'latest' {
  const number = Number(text)
  return Number.isSafeInteger(number) && number > 0 ? number : 'latest'
}

/** Other programs name the version that the new one is made from by its id. */
function OfVersion({ projectId, versionId }: { projectId: string; versionId: string }) {
  const prompt = usePromptOfVersion(projectId, versionId)
  return (
    <QueryView query={prompt} what="the prompt" skeleton="h-64 w-full">
      {(found) =>
        found ? (
          <Navigate
            to="/project/$projectId/prompts/new"
            params={{ projectId }}
            search={{
              name: found.name,
              version: found.version === undefined ? undefined : String(found.version),
            }}
            replace
          />
        ) : (
          <EmptyState title="There is no such prompt">
            No prompt of this project has a version with the id <code>{versionId}</code>. It may
            have been deleted.
          </EmptyState>
        )
      }
    </QueryView>
  )
}

/** A new name. The first version is the one in production, unless that label is not for everybody. */
function NewPrompt({ projectId, name }: { projectId: string; name: string }) {
  const { can } = useProject()
  return (
    <PromptEditor
      projectId={projectId}
      start={newDraft(name, [])}
      base={undefined}
      keptAs={`${projectId} new prompt`}
      mayMoveProtected={can('project:admin')}
      startsInProduction
    />
  )
}

type NewVersionProps = { projectId: string; name: string; version: number | 'latest' }

function NewVersion({ projectId, name, version }: NewVersionProps) {
  const versions = usePromptVersions(projectId, name)
  const based = usePromptVersion(projectId, name, version)
  const head = versions.data?.pages[0]
  const { can } = useProject()
  const missing = [versions.error, based.error].find(
    (error) => error instanceof ApiError && error.status === 404,
  )
  // A link may name a prompt that is still to be written.
  if (missing && version === 'latest')
    return (
      <PromptEditor
        projectId={projectId}
        start={newDraft(name, [])}
        base={undefined}
        keptAs={`${projectId} prompt ${name}`}
        mayMoveProtected={can('project:admin')}
        startsInProduction
      />
    )
  const error = versions.error ?? based.error
  return (
    <QueryView
      query={{
        data: head && based.data && { head, version: based.data },
        isError: error !== null,
        error,
        refetch: async () => Promise.all([versions.refetch(), based.refetch()]),
      }}
      what="the prompt"
      skeleton="h-64 w-full"
    >
      {({ head: { newest, tags, labels, canMoveProtected }, version: shown }) => (
        <PromptEditor
          projectId={projectId}
          start={draftOf(shown, newest, tags)}
          base={{ version: shown.version, body: shown.body, newest, labels }}
          keptAs={`${projectId} prompt ${name} ${version}`}
          mayMoveProtected={canMoveProtected}
        />
      )}
    </QueryView>
  )
}
