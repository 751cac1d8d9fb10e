import { ArrowDown, ArrowUp, Paperclip, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Editor } from '@/shared/editor'
import { Badge, Button, IconButton, Select, TextField } from '@/shared/ui'
import type { FilePart, Item, MessageItem, Role, ToolCall } from '../model/state'

type ItemViewProps = {
  item: Item
  number: number
  variables: readonly string[]
  /** The calls that a result can belong to. */
  callIds: readonly string[]
  startsFolded: boolean
  isFirst: boolean
  isLast: boolean
  onChange: (item: Item) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

const roles: { id: Role; label: string }[] = [
  { id: 'system', label: 'System' },
  { id: 'developer', label: 'Developer' },
  { id: 'user', label: 'User' },
  { id: 'assistant', label: 'Assistant' },
]

/** A message, a result of a tool, or a placeholder. */
export function ItemView(props: ItemViewProps) {
  const { item, number, onChange, onMove } = props
  const [isFolded, setIsFolded] = useState(props.startsFolded)
  const what =
    item.kind === 'message' ? 'message' : item.kind === 'result' ? 'result' : 'placeholder'
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex h-6 min-w-0 items-center gap-1">
        {item.kind === 'message' ? (
          <Select
            label={`Role of message ${number}`}
            hideLabel
            options={roles}
            value={item.role}
            onChange={(role) => onChange({ ...item, role })}
            className="w-32 [&>button]:h-6 [&>button]:text-sm"
          />
        ) : (
          <span className="text-sm font-medium text-text-2">
            {item.kind === 'result' ? 'Result of a tool' : 'Placeholder'}
          </span>
        )}
        <span className="ml-auto flex items-center">
          <IconButton
            size="sm"
            label={`Move ${what} ${number} up`}
            icon={<ArrowUp aria-hidden />}
            isDisabled={props.isFirst}
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
      {isFolded ? (
        <Button
          size="sm"
          variant="ghost"
          className="min-w-0 justify-start"
          onPress={() => setIsFolded(false)}
        >
          <span className="min-w-0 truncate">{previewOf(item)}</span>
        </Button>
      ) : (
        <ItemFields {...props} />
      )}
    </div>
  )
}

function previewOf(item: Item): string {
  if (item.kind === 'placeholder') return item.name
  const text = item.text.slice(0, 200).replaceAll(/\s+/g, ' ')
  return text === '' ? 'Show' : text
}

function ItemFields({ item, number, variables, callIds, onChange }: ItemViewProps) {
  switch (item.kind) {
    case 'placeholder':
      return (
        <TextField
          label="Name"
          value={item.name}
          onChange={(name) => onChange({ ...item, name: name.trim() })}
          description="Its messages are a JSON list, below Variables."
          mono
        />
      )
    case 'result':
      return (
        <div className="flex min-w-0 flex-col gap-1">
          <Select
            label={`Call that result ${number} belongs to`}
            hideLabel
            options={[...new Set([item.callId, ...callIds])]
              .filter((id) => id !== '')
              .map((id) => ({ id, label: id }))}
            value={item.callId === '' ? null : item.callId}
            onChange={(callId) => onChange({ ...item, callId })}
            placeholder="Which call?"
          />
          <Editor
            label={`Result ${number}`}
            hideLabel
            mode={{ kind: 'template', variables }}
            value={item.text}
            onChange={(text) => onChange({ ...item, text })}
            minRows={2}
            maxRows={16}
          />
        </div>
      )
    case 'message':
      return <MessageFields item={item} number={number} variables={variables} onChange={onChange} />
  }
}

function MessageFields({
  item,
  number,
  variables,
  onChange,
}: Pick<ItemViewProps, 'number' | 'variables' | 'onChange'> & { item: MessageItem }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Editor
        label={`Message ${number}`}
        hideLabel
        mode={{ kind: 'template', variables }}
        value={item.text}
        onChange={(text) => onChange({ ...item, text })}
        minRows={2}
        maxRows={24}
      />
      {item.files.map((file, index) => (
        <FileView
          key={`${file.mediaId ?? file.url} ${index}`}
          file={file}
          onRemove={() => onChange({ ...item, files: item.files.toSpliced(index, 1) })}
        />
      ))}
      {item.calls.map((call, index) => (
        <CallFields
          key={call.id}
          call={call}
          onChange={(next) => onChange({ ...item, calls: item.calls.with(index, next) })}
          onRemove={() => onChange({ ...item, calls: item.calls.toSpliced(index, 1) })}
        />
      ))}
    </div>
  )
}

function FileView({ file, onRemove }: { file: FilePart; onRemove: () => void }) {
  return (
    <div className="flex min-w-0 items-center gap-2 text-sm">
      <Paperclip aria-hidden className="size-4 shrink-0 text-text-3" />
      <Badge>{file.kind}</Badge>
      <span className="min-w-0 truncate font-mono text-text-2">
        {file.name ?? file.url ?? file.type ?? file.mediaId}
      </span>
      <IconButton
        size="sm"
        label="Remove the file"
        icon={<Trash2 aria-hidden />}
        onPress={onRemove}
        className="ml-auto"
      />
    </div>
  )
}

function CallFields({
  call,
  onChange,
  onRemove,
}: {
  call: ToolCall
  onChange: (call: ToolCall) => void
  onRemove: () => void
}) {
  return (
    <div className="flex min-w-0 flex-col gap-1 rounded-md border border-border p-2">
      <div className="flex min-w-0 items-center gap-2 text-sm">
        <span className="text-text-3">Calls</span>
        <span className="min-w-0 truncate font-mono">{call.name}</span>
        <IconButton
          size="sm"
          label={`Remove the call of ${call.name}`}
          icon={<Trash2 aria-hidden />}
          onPress={onRemove}
          className="ml-auto"
        />
      </div>
      <Editor
        label={`Arguments of ${call.name}`}
        hideLabel
        mode={{ kind: 'json' }}
        value={call.arguments}
        onChange={(text) => onChange({ ...call, arguments: text })}
        minRows={1}
        maxRows={10}
      />
    </div>
  )
}
