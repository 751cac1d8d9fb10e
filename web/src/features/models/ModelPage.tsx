import { useNavigate, useParams } from '@tanstack/react-router'
import { Copy, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '@/shared/api'
import { LoadError } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { Forbidden, NeedsRole } from '@/shared/roles'
import { findDraft } from '@/shared/lib/drafts'
import { useProject } from '@/shared/currentUser'
import { Badge, Button, PageHeader, Section, Skeleton, Time, toast } from '@/shared/ui'
import { useDeleteModel, useModel, useSaveModel, type Model } from './api/useModels'
import { MatchTest } from './components/MatchTest'
import { ModelForm } from './components/ModelForm'
import { TierTable } from './components/TierTable'
import { toDraft } from './model/draft'

/** A model definition: what it matches, its tiers, and how to change it. */
export function ModelPage() {
  const { project, can } = useProject()
  const { modelId } = useParams({ from: '/_app/project/$projectId/settings/models/$modelId' })
  const model = useModel(project.id, modelId, can('traces:read'))
  if (!can('traces:read')) return <Forbidden doing="see models" permission="traces:read" />
  if (model.isError && model.data === undefined) {
    return (
      <LoadError
        title={
          model.error instanceof ApiError && model.error.status === 404
            ? 'There is no such model'
            : 'Couldn’t load the model'
        }
        query={model}
      />
    )
  }
  if (!model.data) return <Skeleton className="h-6 w-64" />
  return <Definition model={model.data} />
}

function Definition({ model }: { model: Model }) {
  const { project } = useProject()
  // After signing in again, editing goes on.
  const [isEditing, setEditing] = useState(() => findDraft('model') !== undefined)
  const [isOpen, setOpen] = useState(false)
  const remove = useDeleteModel(project.id)
  const navigate = useNavigate()
  const projectId = project.id
  const isOwn = !model.isLangfuseManaged
  return (
    <>
      <PageHeader
        title={model.modelName}
        badge={isOwn ? <Badge tone="accent">Custom</Badge> : <Badge>Built in</Badge>}
        actions={
          <NeedsRole doing="change models" permission="project:admin">
            {!isEditing && (
              <>
                <Button
                  icon={<Copy aria-hidden />}
                  onPress={() =>
                    void navigate({
                      to: '/project/$projectId/settings/models/new',
                      params: { projectId },
                      search: { like: model.id },
                    })
                  }
                >
                  {isOwn ? 'Clone' : 'Override'}
                </Button>
                {isOwn && (
                  <>
                    <Button icon={<Pencil aria-hidden />} onPress={() => setEditing(true)}>
                      Edit
                    </Button>
                    <Button icon={<Trash2 aria-hidden />} onPress={() => setOpen(true)}>
                      Delete
                    </Button>
                  </>
                )}
              </>
            )}
          </NeedsRole>
        }
      />
      {isEditing ? (
        <Editor model={model} onClose={() => setEditing(false)} />
      ) : (
        <>
          <Section title="Definition">
            <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 [&>dd]:min-w-0 [&>dt]:text-text-3">
              <dt>Matches</dt>
              <dd>
                <code className="font-mono text-sm break-all">{model.matchPattern}</code>
              </dd>
              <dt>Unit</dt>
              <dd>{model.unit?.toLowerCase() ?? 'none'}</dd>
              <dt>From</dt>
              <dd>
                <Time at={model.startDate} absolute fallback="The beginning" />
              </dd>
              <dt>Id</dt>
              <dd>
                <code className="font-mono text-sm break-all">{model.id}</code>
              </dd>
            </dl>
          </Section>
          <Section title="Prices" description="US dollars per million units.">
            <TierTable tiers={model.pricingTiers} />
          </Section>
          <Section title="Match test">
            <MatchTest />
          </Section>
        </>
      )}
      <ConfirmChange
        title={`Delete ${model.modelName}?`}
        action="Delete model"
        change={remove}
        variables={isOpen ? model.id : undefined}
        onClose={() => setOpen(false)}
        onDone={async () => {
          toast('Model deleted')
          await navigate({ to: '/project/$projectId/settings/models', params: { projectId } })
        }}
      >
        New observations will be priced by another definition, or not at all. Stored costs are kept.
      </ConfirmChange>
    </>
  )
}

function Editor({ model, onClose }: { model: Model; onClose: () => void }) {
  const { project } = useProject()
  const save = useSaveModel(project.id, model.id)
  const [draft] = useState(() => toDraft(model))
  return (
    <ModelForm
      initial={draft}
      action="Save"
      isPending={save.isPending}
      error={save.error}
      onSave={(next) =>
        save.mutate(next, {
          onSuccess: () => {
            toast('Model changed', { description: 'It applies to new observations.' })
            onClose()
          },
        })
      }
      onCancel={onClose}
    />
  )
}
