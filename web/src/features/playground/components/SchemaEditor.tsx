import { Save } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '@/shared/api'
import { Editor } from '@/shared/editor'
import { toastFailure } from '@/shared/errors'
import { Button, Callout, Menu, Switch, TextField, toast } from '@/shared/ui'
import { useDropSchema, useKeepSchema, useSchemas } from '../api/useLibrary'
import { objectOf } from '../model/params'
import type { Pane, Schema } from '../model/state'
import type { ChangePane } from './PaneView'

type SchemaEditorProps = { projectId: string; pane: Pane; onChange: ChangePane }

const example =
  '{\n  "type": "object",\n  "properties": {\n    "answer": { "type": "string" }\n  },\n  "required": ["answer"],\n  "additionalProperties": false\n}'

/** The JSON Schema that the answer has to follow. */
export function SchemaEditor({ projectId, pane, onChange }: SchemaEditorProps) {
  const kept = useSchemas(projectId)
  const keep = useKeepSchema(projectId)
  const drop = useDropSchema(projectId)
  const [problem, setProblem] = useState<string>()
  const { schema } = pane
  const set = (next: Schema | null) => onChange((before) => ({ ...before, schema: next }))
  const stored = kept.data?.find(({ name }) => name === schema?.name)
  const onKeep = () => {
    if (!schema) return
    try {
      const body = { name: schema.name, schema: objectOf(schema.text, 'The lines of the schema') }
      setProblem(undefined)
      keep.mutate(
        { id: stored?.id, body },
        {
          onSuccess: () => toast(`${schema.name} is kept in the project`),
          onError: (error) => setProblem(messageOf(error)),
        },
      )
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Switch
        isSelected={schema !== null}
        onChange={(isOn) => set(isOn ? { name: 'answer', text: example } : null)}
      >
        The answer follows a JSON Schema
      </Switch>
      {schema && (
        <>
          <TextField
            label="Name"
            value={schema.name}
            onChange={(name) => set({ ...schema, name: name.trim() })}
            mono
          />
          <Editor
            label="Schema"
            mode={{ kind: 'json' }}
            value={schema.text}
            onChange={(text) => set({ ...schema, text })}
            minRows={5}
            maxRows={20}
          />
        </>
      )}
      <div className="flex flex-wrap gap-1">
        {schema && (
          <Button
            size="sm"
            icon={<Save aria-hidden />}
            isDisabled={schema.name === '' || keep.isPending}
            onPress={onKeep}
          >
            Keep in the project
          </Button>
        )}
        {stored && (
          <Button
            size="sm"
            variant="ghost"
            onPress={() =>
              drop.mutate(stored.id, {
                onSuccess: () => toast(`${stored.name} is no longer kept in the project`),
                onError: toastFailure('The schema could not be removed'),
              })
            }
          >
            Remove from the project
          </Button>
        )}
        {kept.data && kept.data.length > 0 && (
          <Menu
            label="Schemas of the project"
            trigger={<Button size="sm">Take one of the project</Button>}
            actions={kept.data.map((each) => ({
              id: each.id,
              label: each.name,
              onAction: () => set({ name: each.name, text: JSON.stringify(each.schema, null, 2) }),
            }))}
          />
        )}
      </div>
      {problem !== undefined && <Callout tone="danger">{problem}</Callout>}
    </div>
  )
}
