import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { GuardedPage } from '@/shared/roles'
import { QueryView } from '@/shared/errors'
import { useProject } from '@/shared/currentUser'
import { toast } from '@/shared/ui'
import { useModel, useSaveModel } from './api/useModels'
import { ModelForm } from './components/ModelForm'
import { emptyDraft, toDraft, type Draft } from './model/draft'

/** A new definition: empty, for a given name, or copied from another one. */
export function NewModelPage() {
  const search = useSearch({ from: '/_app/project/$projectId/settings/models/new' })
  return (
    <GuardedPage
      frame="settings"
      title="New model"
      description="Applies to observations that arrive from now on. A model with the name of a built-in one replaces it."
      permission="project:admin"
      doing="define models"
    >
      {search.like ? (
        <Clone modelId={search.like} />
      ) : (
        <Editor initial={emptyDraft(search.name ?? '')} />
      )}
    </GuardedPage>
  )
}

function Clone({ modelId }: { modelId: string }) {
  const { project } = useProject()
  const model = useModel(project.id, modelId)
  return (
    <QueryView query={model} what="the model" skeleton="w-64">
      {(found) => <Editor initial={toDraft(found)} />}
    </QueryView>
  )
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
