import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Forbidden } from '@/shared/roles'
import { LoadError } from '@/shared/errors'
import { useProject } from '@/shared/currentUser'
import { PageHeader, Skeleton, toast } from '@/shared/ui'
import { useModel, useSaveModel } from './api/useModels'
import { ModelForm } from './components/ModelForm'
import { emptyDraft, toDraft, type Draft } from './model/draft'

/** A new definition: empty, for a given name, or copied from another one. */
export function NewModelPage() {
  const { project, can } = useProject()
  const search = useSearch({ from: '/_app/project/$projectId/settings/models/new' })
  return (
    <>
      <PageHeader
        title="New model"
        description="Applies to spans that arrive from now on. A model with the name of a built-in one replaces it."
      />
      {!can('project:admin') ? (
        <Forbidden
          doing="define models"
          permission="project:admin"
          level="project"
          role={project.role}
        />
      ) : search.like ? (
        <Clone modelId={search.like} />
      ) : (
        <Editor initial={emptyDraft(search.name ?? '')} />
      )}
    </>
  )
}

function Clone({ modelId }: { modelId: string }) {
  const { project } = useProject()
  const model = useModel(project.id, modelId)
  if (model.isError) {
    return <LoadError title="Couldn’t load the model" query={model} />
  }
  return model.data ? <Editor initial={toDraft(model.data)} /> : <Skeleton className="w-64" />
}

function Editor({ initial }: { initial: Draft }) {
  const { project } = useProject()
  const save = useSaveModel(project.id, undefined)
  const navigate = useNavigate()
  // Drafts have generated keys: a draft recreated on every render would not be the one being edited.
  const [draft] = useState(initial)
  const projectId = project.id
  return (
    <ModelForm
      initial={draft}
      action="Create model"
      isPending={save.isPending}
      error={save.error}
      onSave={(model) =>
        save.mutate(model, {
          onSuccess: (created) => {
            toast('Model created')
            void navigate({
              to: '/project/$projectId/settings/models/$modelId',
              params: { projectId, modelId: created.id },
            })
          },
        })
      }
      onCancel={() =>
        void navigate({ to: '/project/$projectId/settings/models', params: { projectId } })
      }
    />
  )
}
