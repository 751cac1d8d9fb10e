import { useState } from 'react'
import { messageOf } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import { useModels } from '@/shared/llmModels'
import { Button, Callout, ComboBox, Section, Select, toast } from '@/shared/ui'
import { useSetDefaultModel, type ChosenModel } from '../api/useDefaultModel'

/** The model that the project uses where nobody chose one. Without connections there is nothing to choose. */
export function DefaultModel({ projectId }: { projectId: string }) {
  const { can } = useProject()
  const models = useModels(projectId)
  if (!models.data || models.data.connections.length === 0) return null
  const chosen = models.data.default
  return (
    <div className="pt-6">
      <Section
        title="Default model"
        description="New windows of the playground, and everything else that calls a model without naming one, begin with it."
      >
        {can('project:admin') ? (
          // What is stored later begins a new form.
          <DefaultForm key={JSON.stringify(chosen)} projectId={projectId} chosen={chosen} />
        ) : (
          <p>
            {chosen ? (
              <>
                <span className="font-mono">{chosen.model}</span> of {chosen.connection}
              </>
            ) : (
              'None is chosen.'
            )}
          </p>
        )}
      </Section>
    </div>
  )
}

function DefaultForm({ projectId, chosen }: { projectId: string; chosen: ChosenModel | null }) {
  const models = useModels(projectId)
  const save = useSetDefaultModel(projectId)
  const connections = models.data?.connections ?? []
  const [connection, setConnection] = useState(chosen?.connection ?? null)
  const [model, setModel] = useState(chosen?.model ?? '')
  const names = connections.find((each) => each.connection === connection)?.models ?? []
  const name = model.trim()
  const isSame = connection === (chosen?.connection ?? null) && name === (chosen?.model ?? '')
  return (
    <div className="flex max-w-2xl min-w-0 flex-col gap-3">
      <div className="grid min-w-0 gap-3 sm:grid-cols-2">
        <Select
          label="Connection"
          options={connections.map((each) => ({ id: each.connection, label: each.connection }))}
          value={connection}
          onChange={(next) => {
            setConnection(next)
            setModel(connections.find((each) => each.connection === next)?.models[0] ?? '')
          }}
        />
        <ComboBox
          // The suggestions of another connection are others.
          key={connection}
          label="Model"
          options={names.map((each) => ({ id: each, label: each }))}
          inputValue={model}
          onInputChange={setModel}
          allowsCustom
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          isDisabled={isSame || connection === null || name === ''}
          isPending={save.isPending}
          onPress={() =>
            connection !== null &&
            save.mutate(
              { connection, model: name },
              { onSuccess: () => toast('Default model saved') },
            )
          }
        >
          Save default model
        </Button>
        {chosen && (
          <Button
            onPress={() => save.mutate(null, { onSuccess: () => toast('Default model removed') })}
          >
            Remove
          </Button>
        )}
      </div>
      {save.isError && <Callout tone="danger">{messageOf(save.error)}</Callout>}
    </div>
  )
}
