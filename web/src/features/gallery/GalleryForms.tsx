import { useState } from 'react'
import { ConflictDialog, ListEditor, useForm } from '@/shared/forms'
import { StreamedAnswer, useStream } from '@/shared/stream'
import { Button, Select, TextField, type Option } from '@/shared/ui'

type Role = 'system' | 'user' | 'assistant'
type Message = { role: Role; text: string }

const roles: Option<Role>[] = [
  { id: 'system', label: 'System' },
  { id: 'user', label: 'User' },
  { id: 'assistant', label: 'Assistant' },
]
const initial: { messages: Message[] } = {
  messages: [
    { role: 'system', text: 'Answer in one sentence.' },
    { role: 'user', text: 'Why is the sky blue?' },
  ],
}

/** Lists in forms, edits by two people, and answers that arrive word by word. */
export function GalleryForms() {
  const form = useForm({ initial })
  const messages = form.list('messages')
  const [isConflict, setConflict] = useState(false)
  const close = () => setConflict(false)
  return (
    <div className="flex w-full min-w-0 flex-col gap-4">
      <ListEditor
        label="Messages"
        noun="message"
        list={messages}
        create={(): Message => ({ role: 'user', text: '' })}
      >
        {(message, at, change) => (
          <div className="flex flex-wrap gap-2">
            <Select
              label={`Role of message ${at + 1}`}
              hideLabel
              options={roles}
              value={message.role}
              onChange={(role) => change({ ...message, role })}
              className="w-32"
            />
            <TextField
              aria-label={`Text of message ${at + 1}`}
              label=""
              value={message.text}
              onChange={(text) => change({ ...message, text })}
              className="min-w-0 flex-1"
            />
          </div>
        )}
      </ListEditor>
      <div>
        <Button onPress={() => setConflict(true)}>Save over somebody else</Button>
      </div>
      <ConflictDialog
        label="Prompt"
        conflict={
          isConflict
            ? { mine: 'Answer in two sentences.', theirs: { values: 'Answer in one sentence.' } }
            : undefined
        }
        textOf={(text) => text}
        isPending={false}
        onKeepMine={close}
        onTakeTheirs={close}
        onDismiss={close}
      />
      <Streaming label="Answer" />
      <Streaming label="Broken answer" isBroken />
    </div>
  )
}

/** An answer that is made up here, word by word. */
function Streaming({ label, isBroken = false }: { label: string; isBroken?: boolean }) {
  const { state, status, error, start, cancel } = useStream('', (text, { name, data }) =>
    name === 'delta' ? text + data : text,
  )
  const run = () => start((signal) => madeUp(signal, isBroken))
  return (
    <div className="flex flex-col gap-2">
      <StreamedAnswer
        label={label}
        text={state}
        status={status}
        error={error}
        usage="132 tokens, $0.0004"
        onCancel={cancel}
        onRetry={run}
      />
      <div>
        <Button size="sm" onPress={run}>
          Run {label.toLowerCase()}
        </Button>
      </div>
    </div>
  )
}

async function madeUp(signal: AbortSignal, isBroken: boolean): Promise<Response> {
  const encoder = new TextEncoder()
  const words = 'Short waves of light are scattered more than long ones .'.split(' ')
  const events = words.map((word) => `event: delta\ndata: ${word} \n\n`)
  const last = isBroken
    ? 'event: error\ndata: {"message": "The provider is overloaded."}\n\n'
    : 'event: done\ndata: {}\n\n'
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const event of [...events, last]) {
        await new Promise((resolve) => setTimeout(resolve, 30))
        if (signal.aborted) return controller.error(signal.reason)
        controller.enqueue(encoder.encode(event))
      }
      controller.close()
    },
  })
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
}
