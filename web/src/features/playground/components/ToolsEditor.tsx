import { Plus, Save, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '@/shared/api'
import { Editor } from '@/shared/editor'
import { toastFailure } from '@/shared/errors'
import { Button, Callout, IconButton, Menu, Select, TextField, toast } from '@/shared/ui'
import { useDropTool, useKeepTool, useTools } from '../api/useLibrary'
import { objectOf } from '../model/params'
import type { Pane, Tool } from '../model/state'
import type { ChangePane } from './PaneView'

type ToolsEditorProps = { projectId: string; pane: Pane; onChange: ChangePane }

const newSchema = '{\n  "type": "object",\n  "properties": {}\n}'

/** The tools that the model may ask for, and what they answer here. */
export function ToolsEditor({ projectId, pane, onChange }: ToolsEditorProps) {
  const kept = useTools(projectId)
  const set = (tools: Tool[]) => onChange((before) => ({ ...before, tools }))
  const free = (kept.data ?? []).filter((each) =>
    pane.tools.every(({ name }) => name !== each.name),
  )
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {pane.tools.length > 0 && (
        <Select
          label="Which tool the model calls"
          options={[
            { id: 'auto', label: 'The model decides' },
            { id: 'required', label: 'At least one' },
            { id: 'none', label: 'None' },
            ...pane.tools
              .filter(({ name }) => name !== '')
              .map(({ name }) => ({ id: name, label: `Only ${name}` })),
          ]}
          value={pane.toolChoice}
          onChange={(toolChoice) => onChange((before) => ({ ...before, toolChoice }))}
        />
      )}
      {pane.tools.map((tool, index) => (
        <ToolFields
          key={index}
          projectId={projectId}
          tool={tool}
          number={index + 1}
          onChange={(next) => set(pane.tools.with(index, next))}
          onRemove={() => set(pane.tools.toSpliced(index, 1))}
        />
      ))}
      <div className="flex flex-wrap gap-1">
        <Button
          size="sm"
          icon={<Plus aria-hidden />}
          onPress={() =>
            set([...pane.tools, { name: '', description: '', parameters: newSchema, mock: '' }])
          }
        >
          New tool
        </Button>
        {free.length > 0 && (
          <Menu
            label="Tools of the project"
            trigger={<Button size="sm">Take one of the project</Button>}
            actions={free.map((each) => ({
              id: each.id,
              label: each.name,
              onAction: () =>
                set([
                  ...pane.tools,
                  {
                    name: each.name,
                    description: each.description,
                    parameters: JSON.stringify(each.parameters, null, 2),
                    mock: '',
                  },
                ]),
            }))}
          />
        )}
      </div>
      {kept.isError && <Callout tone="warning">{messageOf(kept.error)}</Callout>}
    </div>
  )
}

type ToolFieldsProps = {
  projectId: string
  tool: Tool
  number: number
  onChange: (tool: Tool) => void
  onRemove: () => void
}

function ToolFields({ projectId, tool, number, onChange, onRemove }: ToolFieldsProps) {
  const kept = useTools(projectId)
  const keep = useKeepTool(projectId)
  const drop = useDropTool(projectId)
  const [problem, setProblem] = useState<string>()
  const stored = kept.data?.find(({ name }) => name === tool.name)
  const onKeep = () => {
    try {
      const parameters = objectOf(tool.parameters, 'The parameters')
      const { name, description } = tool
      setProblem(undefined)
      keep.mutate(
        { id: stored?.id, body: { name, description, parameters } },
        {
          onSuccess: () => toast(`${name} is kept in the project`),
          onError: (error) => setProblem(messageOf(error)),
        },
      )
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 rounded-md border border-border p-2">
      <legend className="sr-only">Tool {number}</legend>
      <div className="flex min-w-0 items-end gap-1">
        <TextField
          label="Name"
          value={tool.name}
          onChange={(name) => onChange({ ...tool, name: name.trim() })}
          mono
          className="min-w-0 flex-1"
        />
        <IconButton
          label={`Keep tool ${number} in the project`}
          icon={<Save aria-hidden />}
          isDisabled={tool.name === '' || keep.isPending}
          onPress={onKeep}
        />
        <IconButton
          label={`Remove tool ${number} from this window`}
          icon={<Trash2 aria-hidden />}
          onPress={onRemove}
        />
      </div>
      <TextField
        label="Description"
        rows={2}
        value={tool.description}
        onChange={(description) => onChange({ ...tool, description })}
      />
      <Editor
        label="Parameters (JSON Schema)"
        mode={{ kind: 'json' }}
        value={tool.parameters}
        onChange={(parameters) => onChange({ ...tool, parameters })}
        minRows={4}
        maxRows={16}
      />
      <TextField
        label="Mocked result"
        description="What the tool answers here when you continue after a call."
        rows={2}
        mono
        value={tool.mock}
        onChange={(mock) => onChange({ ...tool, mock })}
      />
      {stored && (
        <span className="flex flex-wrap items-center gap-2 text-sm text-text-3">
          The project keeps a tool with this name.
          <Button
            size="sm"
            variant="ghost"
            onPress={() =>
              drop.mutate(stored.id, {
                onSuccess: () => toast(`${stored.name} is no longer kept in the project`),
                onError: toastFailure('The tool could not be removed'),
              })
            }
          >
            Remove it there
          </Button>
        </span>
      )}
      {problem !== undefined && <Callout tone="danger">{problem}</Callout>}
    </fieldset>
  )
}
