import { Lock } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '@/shared/api'
import { QueryView } from '@/shared/errors'
import { SubmitForm } from '@/shared/forms'
import {
  byImportance,
  givenLabels,
  labelProblem,
  production,
  PromptDiff,
  usePromptDependents,
  usePromptLabels,
  usePromptVersion,
  type PromptVersion,
  type PromptVersionsPage,
} from '@/shared/prompts'
import { roleLabel, roleNeeded } from '@/shared/roles'
import { Button, Callout, Checkbox, Dialog, TextField, toast } from '@/shared/ui'
import { useSetLabels } from '../api/changes'
import { actionText, effectText, labelEffects, movedFrom } from '../model/labels'
import { Dependents } from './Dependents'

type LabelsDialogProps = {
  projectId: string
  prompt: PromptVersion
  head: PromptVersionsPage
  isOpen: boolean
  onClose: () => void
}

/** Gives labels to a version and takes them from it; says what that changes for applications before it is saved. */
export function LabelsDialog(props: LabelsDialogProps) {
  const { prompt, isOpen, onClose } = props
  return (
    <Dialog
      title={`Labels of version ${prompt.version}`}
      isOpen={isOpen}
      onClose={onClose}
      size="lg"
    >
      <LabelsForm {...props} />
    </Dialog>
  )
}

function LabelsForm({ projectId, prompt, head, onClose }: LabelsDialogProps) {
  const { name, version } = prompt
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(givenLabels(prompt.labels)))
  const [added, setAdded] = useState<readonly string[]>([])
  const [typed, setTyped] = useState('')
  const known = usePromptLabels(projectId)
  const save = useSetLabels(projectId, name, version)
  const label = typed.trim()
  const problem = label === '' ? undefined : labelProblem(label)
  const wanted = label === '' || problem !== undefined ? chosen : new Set([...chosen, label])
  const effects = labelEffects(version, wanted, head.labels)
  const from = movedFrom(effects)
  const options = [
    ...new Set([
      production,
      ...Object.keys(head.labels),
      ...prompt.labels,
      ...(known.data?.labels ?? []).map(({ label }) => label),
      ...added,
    ]),
  ]
  const isRefused = (label: string) =>
    head.protectedLabels.includes(label) && !head.canMoveProtected
  const toggle = (label: string, isOn: boolean) => {
    const next = new Set(chosen)
    if (isOn) next.add(label)
    else next.delete(label)
    setChosen(next)
  }
  const add = () => {
    if (label === '' || problem !== undefined) return
    setAdded([...added, label])
    toggle(label, true)
    setTyped('')
  }
  const isConflict = save.error instanceof ApiError && save.error.status === 409
  return (
    <SubmitForm
      action={actionText(effects)}
      isDisabled={effects.length === 0 || problem !== undefined}
      isPending={save.isPending}
      error={save.error}
      onSubmit={() => {
        if (effects.length === 0 || problem !== undefined) return
        save.mutate([...wanted], {
          onSuccess: () => {
            const [first, another] = effects
            toast(
              first && !another && first.kind !== 'removed'
                ? `${first.label} is version ${version}`
                : 'Labels saved',
            )
            onClose()
          },
        })
      }}
      onClose={onClose}
    >
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="sr-only">Labels</legend>
        <div className="flex max-h-56 flex-wrap gap-x-5 gap-y-2 overflow-y-auto">
          {givenLabels(options).map((label) => {
            const at = Object.hasOwn(head.labels, label) ? head.labels[label] : undefined
            return (
              <Checkbox
                key={label}
                isSelected={chosen.has(label)}
                isDisabled={isRefused(label)}
                onChange={(isOn) => toggle(label, isOn)}
              >
                <span className="font-mono text-sm">{label}</span>
                {head.protectedLabels.includes(label) && (
                  <Lock aria-label="protected" className="ml-1 inline size-3 text-text-3" />
                )}
                {at !== undefined && at !== version && (
                  <span className="tabular ml-1 text-sm text-text-3">on v{at}</span>
                )}
              </Checkbox>
            )
          })}
        </div>
        {options.some(isRefused) && (
          <p className="flex items-center gap-1.5 text-sm text-text-3">
            <Lock aria-hidden className="size-3.5 shrink-0" />
            {options.filter(isRefused).toSorted(byImportance).join(', ')}: protected. To move
            protected labels you need the role {roleLabel(roleNeeded('project:admin', 'project'))}.
          </p>
        )}
      </fieldset>
      <div className="flex items-end gap-2">
        <TextField
          label="Another label"
          mono
          autoComplete="off"
          value={typed}
          onChange={setTyped}
          error={problem}
          className="max-w-64 flex-1"
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing || label === '') return
            event.preventDefault()
            add()
          }}
        />
        <Button onPress={add} isDisabled={label === '' || problem !== undefined}>
          Add
        </Button>
      </div>
      {effects.length > 0 && (
        <section aria-label="What changes" className="flex min-w-0 flex-col gap-2">
          <Callout tone={effects.some(({ kind }) => kind !== 'added') ? 'warning' : 'neutral'}>
            <ul className="flex flex-col gap-0.5">
              {effects.map((effect) => (
                <li key={effect.label}>{effectText(effect, version)}</li>
              ))}
            </ul>
          </Callout>
          {from !== undefined && <MovedDiff projectId={projectId} prompt={prompt} from={from} />}
        </section>
      )}
      {isConflict && (
        <Referring
          projectId={projectId}
          name={name}
          labels={effects.filter(({ kind }) => kind === 'removed').map(({ label }) => label)}
        />
      )}
    </SubmitForm>
  )
}

/** What applications get instead of the version that a label leaves. */
function MovedDiff({
  projectId,
  prompt,
  from,
}: {
  projectId: string
  prompt: PromptVersion
  from: number
}) {
  const before = usePromptVersion(projectId, prompt.name, from)
  return (
    <QueryView query={before} what={`version ${from}`} skeleton="h-24">
      {(shown) => (
        <div className="max-h-[50vh] min-w-0 overflow-y-auto">
          <PromptDiff
            before={shown.body}
            after={prompt.body}
            names={[`Version ${from}`, `Version ${prompt.version}`]}
          />
        </div>
      )}
    </QueryView>
  )
}

/** The prompts that would be broken. */
function Referring({
  projectId,
  name,
  labels,
}: {
  projectId: string
  name: string
  labels: readonly string[]
}) {
  const dependents = usePromptDependents(projectId, name)
  const found = (dependents.data ?? []).filter(
    ({ by }) => by.label !== undefined && labels.includes(by.label),
  )
  return found.length > 0 && <Dependents projectId={projectId} dependents={found} />
}
