import { Braces, MessageSquarePlus, Wrench } from 'lucide-react'
import { Button } from '@/shared/ui'
import { emptyMessage, moved, newId, nextRole, type Item, type Pane } from '../model/state'
import { ItemView } from './ItemView'
import type { ChangePane } from './PaneView'

type MessageListProps = { pane: Pane; variables: readonly string[]; onChange: ChangePane }

/** Longer conversations begin folded: nobody edits all of a hundred messages. */
const openAtEnd = 12

/** What is sent, in order. */
export function MessageList({ pane, variables, onChange }: MessageListProps) {
  const { items } = pane
  const change = (edit: (items: Item[]) => Item[]) =>
    onChange((before) => ({ ...before, items: edit(before.items) }))
  const openCalls = items
    .flatMap((item) => (item.kind === 'message' ? item.calls : []))
    .filter(({ id }) => !items.some((item) => item.kind === 'result' && item.callId === id))
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="sr-only">Messages</h3>
      <ol className="flex min-w-0 flex-col gap-2">
        {items.map((item, index) => (
          <li key={item.id} className="min-w-0">
            <ItemView
              item={item}
              number={index + 1}
              variables={variables}
              callIds={items.flatMap((each) =>
                each.kind === 'message' ? each.calls.map(({ id }) => id) : [],
              )}
              startsFolded={index < items.length - openAtEnd && index > 0}
              isFirst={index === 0}
              isLast={index === items.length - 1}
              onChange={(next) =>
                change((before) => before.map((each) => (each.id === item.id ? next : each)))
              }
              onMove={(by) =>
                change((before) =>
                  moved(
                    before,
                    before.findIndex(({ id }) => id === item.id),
                    by,
                  ),
                )
              }
              onRemove={() => change((before) => before.filter(({ id }) => id !== item.id))}
            />
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-1">
        <Button
          size="sm"
          variant="ghost"
          icon={<MessageSquarePlus aria-hidden />}
          onPress={() => change((before) => [...before, emptyMessage(nextRole(before))])}
        >
          Message
        </Button>
        <Button
          size="sm"
          variant="ghost"
          icon={<Braces aria-hidden />}
          onPress={() =>
            change((before) => [...before, { id: newId(), kind: 'placeholder', name: 'history' }])
          }
        >
          Placeholder
        </Button>
        {openCalls.length > 0 && (
          <Button
            size="sm"
            variant="ghost"
            icon={<Wrench aria-hidden />}
            onPress={() =>
              change((before) => [
                ...before,
                ...openCalls.map(({ id, name }): Item => {
                  const mock = pane.tools.find((tool) => tool.name === name)?.mock ?? ''
                  return { id: newId(), kind: 'result', callId: id, text: mock }
                }),
              ])
            }
          >
            Results of open calls
          </Button>
        )}
      </div>
    </div>
  )
}
