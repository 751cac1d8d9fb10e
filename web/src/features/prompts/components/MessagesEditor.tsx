import { ArrowDown, ArrowUp, Braces, MessageSquarePlus, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import { Editor, type ReferenceSource } from '@/shared/editor'
import { Button, ComboBox, IconButton, TextField } from '@/shared/ui'
import { unresolvedIn } from '../model/unresolved'
import { emptyMessage, moved, newId, nextRole, type Item } from '../model/draft'

type MessagesEditorProps = {
  items: readonly Item[]
  variables: readonly string[]
  references: ReferenceSource
  /** What is wrong with references that cannot be inserted, as they are written. */
  refused: ReadonlyMap<string, string>
  problems: ReadonlyMap<string, string> | undefined
  onChange: (items: readonly Item[]) => void
}

/** The messages and placeholders of a chat prompt, in order. */
export function MessagesEditor(props: MessagesEditorProps) {
  const { items, onChange } = props
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <ol aria-label="Messages" className="flex min-w-0 flex-col gap-3">
        {items.map((item, at) => (
          <li key={item.id} className="min-w-0">
            <ItemEditor
              item={item}
              number={at + 1}
              isLast={at === items.length - 1}
              variables={props.variables}
              references={props.references}
              refused={props.refused}
              problem={props.problems?.get(item.id)}
              onChange={(next) => onChange(items.with(at, next))}
              onMove={(by) => onChange(moved(items, at, by))}
              onRemove={() => onChange(items.toSpliced(at, 1))}
            />
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-1">
        <Button
          size="sm"
          variant="ghost"
          icon={<MessageSquarePlus aria-hidden />}
          onPress={() => onChange([...items, emptyMessage(nextRole(items))])}
        >
          Message
        </Button>
        <Button
          size="sm"
          variant="ghost"
          icon={<Braces aria-hidden />}
          onPress={() =>
            onChange([...items, { id: newId(), kind: 'placeholder', name: 'history' }])
          }
        >
          Placeholder
        </Button>
      </div>
    </div>
  )
}

type ItemEditorProps = {
  item: Item
  number: number
  isLast: boolean
  variables: readonly string[]
  references: ReferenceSource
  refused: ReadonlyMap<string, string>
  problem: string | undefined
  onChange: (item: Item) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

const roles = ['system', 'developer', 'user', 'assistant', 'tool'].map((role) => ({
  id: role,
  label: role,
}))

function ItemEditor(props: ItemEditorProps) {
  const { item, number, problem, onChange, onMove } = props
  const what = item.kind
  const content = item.kind === 'message' ? item.content : ''
  const unresolved = useMemo(() => unresolvedIn(content, props.refused), [content, props.refused])
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex min-w-0 items-center gap-1">
        {item.kind === 'message' ? (
          <ComboBox
            label={`Role of message ${number}`}
            options={roles}
            inputValue={item.role}
            onInputChange={(role) => role !== item.role && onChange({ ...item, role })}
            allowsCustom
            className="w-36 [&>label]:sr-only [&_input]:h-7"
          />
        ) : (
          <span className="text-sm font-medium text-text-2">Placeholder</span>
        )}
        <span className="ml-auto flex items-center">
          <IconButton
            size="sm"
            label={`Move ${what} ${number} up`}
            icon={<ArrowUp aria-hidden />}
            isDisabled={number === 1}
            onPress={() => onMove(-1)}
          />
          <IconButton
            size="sm"
            label={`Move ${what} ${number} down`}
            icon={<ArrowDown aria-hidden />}
            isDisabled={props.isLast}
            onPress={() => onMove(1)}
          />
          <IconButton
            size="sm"
            label={`Remove ${what} ${number}`}
            icon={<Trash2 aria-hidden />}
            onPress={props.onRemove}
          />
        </span>
      </div>
      {item.kind === 'placeholder' ? (
        <TextField
          label={`Name of placeholder ${number}`}
          value={item.name}
          onChange={(name) => onChange({ ...item, name: name.trim() })}
          description="Applications put messages here, such as the conversation so far."
          mono
          error={problem}
          className="max-w-sm"
        />
      ) : (
        <Editor
          label={`Message ${number}`}
          hideLabel
          mode={{ kind: 'template', variables: props.variables }}
          references={props.references}
          problems={unresolved}
          value={item.content}
          onChange={(content) => onChange({ ...item, content })}
          error={problem}
          minRows={3}
          maxRows={24}
        />
      )}
    </div>
  )
}
