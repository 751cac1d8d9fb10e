import { MessageSquareText } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { messageOf } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import { Button, Dialog, toast } from '@/shared/ui'
import { useAddComment, useComments, type CommentSubject } from './api/useComments'
import { useMembers } from './api/useMembers'
import { CommentForm } from './components/CommentForm'
import { useHighlights } from './components/useHighlights'
import { anchorOf, locate, quoteOf, type Anchor } from './model/anchor'

type AnchoredProps = {
  subject: CommentSubject
  field: Anchor['dataField']
  /** The text as it is stored. */
  text: string
  onOpenComments: () => void
  children: ReactNode
}

type Selected = { quote: string; anchor: Anchor | undefined; top: number; left: number }

/** A value whose parts can be commented on by selecting text. Parts with comments are highlighted, and listed below. */
export function Anchored(props: AnchoredProps) {
  const { can } = useProject()
  if (!can('comments:read')) return props.children
  return <AnchoredText {...props} />
}

function AnchoredText({ subject, field, text, onOpenComments, children }: AnchoredProps) {
  const { can } = useProject()
  const root = useRef<HTMLDivElement>(null)
  const comments = useComments(subject, true)
  const members = useMembers(subject.projectId)
  const add = useAddComment(subject)
  const [selected, setSelected] = useState<Selected | undefined>(undefined)
  const [commented, setCommented] = useState<Selected | undefined>(undefined)
  const anchored = (comments.data ?? []).flatMap((comment) => {
    const anchor = anchorOf(comment)
    const quote = anchor?.dataField === field ? quoteOf(text, anchor) : undefined
    return quote === undefined ? [] : [{ comment, quote }]
  })
  useHighlights(
    root,
    'comment',
    anchored.map(({ quote }) => quote),
  )
  const select = () => {
    const selection = getSelection()
    const box = root.current
    const quote = selection?.toString().trim() ?? ''
    if (!can('comments:write') || !selection || !box || quote === '' || !isInside(box, selection)) {
      setSelected(undefined)
      return
    }
    const end = selection.getRangeAt(0).getBoundingClientRect()
    const around = box.getBoundingClientRect()
    setSelected({
      quote,
      anchor: locate(field, text, quote),
      top: end.bottom - around.top + 4,
      left: Math.min(Math.max(0, end.left - around.left), Math.max(0, around.width - 200)),
    })
  }
  return (
    <div className="relative flex min-w-0 flex-col gap-1">
      {/* What is selected in here can be commented on. Nothing is pressed. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div ref={root} onPointerUp={() => setTimeout(select)} onKeyUp={select} className="min-w-0">
        {children}
      </div>
      {selected && (
        <div className="z-bar absolute" style={{ top: selected.top, left: selected.left }}>
          <Button
            size="sm"
            icon={<MessageSquareText aria-hidden />}
            isDisabled={selected.anchor === undefined}
            className="shadow-pop"
            onPress={() => {
              setCommented(selected)
              setSelected(undefined)
            }}
          >
            {selected.anchor === undefined ? 'Select within one text' : 'Comment on selection'}
          </Button>
        </div>
      )}
      {anchored.length > 0 && (
        <ul aria-label={`Comments on the ${field}`} className="flex flex-wrap gap-1">
          {anchored.slice(0, 20).map(({ comment, quote }) => (
            <li key={comment.id} className="min-w-0">
              <button
                type="button"
                onClick={onOpenComments}
                className="flex max-w-80 items-center gap-1 rounded-sm bg-accent-soft px-1.5 py-0.5 text-sm text-text-2 hover:text-text-1"
              >
                <MessageSquareText aria-hidden className="size-3.5 shrink-0" />
                <span className="truncate">“{quote.slice(0, 80)}”</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Dialog
        title="Comment on selection"
        isOpen={commented !== undefined}
        onClose={() => setCommented(undefined)}
      >
        {commented && (
          <div className="flex min-w-0 flex-col gap-3">
            <blockquote
              dir="auto"
              className="max-h-32 overflow-y-auto border-l-2 border-accent pl-2 break-words text-text-2"
            >
              {commented.quote.slice(0, 1000)}
            </blockquote>
            <CommentForm
              label="Comment"
              action="Comment"
              members={members}
              isFocused
              keptAs={`${subject.projectId} ${subject.traceId} ${subject.id} ${field} ${commented.quote}`}
              isPending={add.isPending}
              error={add.error ? messageOf(add.error) : undefined}
              onCancel={() => setCommented(undefined)}
              onSend={async (content) => {
                try {
                  await add.mutateAsync({ content, anchor: commented.anchor })
                } catch {
                  return false // the form shows the error
                }
                setCommented(undefined)
                toast('Comment added')
                return true
              }}
            />
          </div>
        )}
      </Dialog>
    </div>
  )
}

function isInside(box: Element, { anchorNode, focusNode }: Selection): boolean {
  return box.contains(anchorNode) && box.contains(focusNode)
}
