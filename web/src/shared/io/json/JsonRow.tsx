import { ChevronRight } from 'lucide-react'
import { cx } from '@/shared/lib/cx'
import { formatExact } from '@/shared/lib/format'
import type { JsonDocument } from './model/json'
import { labelOf } from './model/path'
import { previewOf, shownAtFirst, type Preview } from './model/preview'
import { isContainer, isUnfolded, type Folding } from './model/rows'
import { marked } from './model/search'

/** Deeper rows are not indented further: they would leave the window. */
const deepestIndent = 24

const colours: Record<Preview['kind'], string> = {
  object: 'text-text-3',
  array: 'text-text-3',
  string: 'text-success',
  number: 'text-accent',
  word: 'text-warning',
}

type JsonRowProps = {
  measure: (element: Element | null) => void
  row: number
  id: string
  document: JsonDocument
  node: number
  depth: number
  folding: Folding
  isCurrent: boolean
  /** Whether a long string is shown in full. */
  isWhole: boolean
  query: string
  onSelect: () => void
  onToggle: () => void
  onWhole: () => void
}

/** A row with a value and its name. */
export function JsonRow(props: JsonRowProps) {
  const { document, node, depth, measure, row } = props
  const { index } = document
  const canFold = isContainer(index, node) && (index.sizes[node] ?? 0) > 0
  const isOpen = canFold && isUnfolded(props.folding, node, depth)
  const preview = previewOf(document, node, props.isWhole ? Infinity : shownAtFirst)
  const label = labelOf(document, node)
  const isElement = (index.keys[node] ?? 0) === 0xffffffff
  return (
    // The tree handles the keyboard for its rows; a row itself never has the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={measure}
      data-index={row}
      id={props.id}
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={canFold ? isOpen : undefined}
      aria-selected={props.isCurrent}
      aria-setsize={index.sizes[index.parents[node] ?? 0] ?? 1}
      aria-posinset={(index.positions[node] ?? 0) + 1}
      onClick={canFold ? props.onToggle : props.onSelect}
      className={cx(
        'flex min-h-[22px] items-start gap-1 py-0.5 pr-2 hover:bg-surface-1',
        props.isCurrent && 'bg-accent-soft',
      )}
      style={{ paddingLeft: 8 + Math.min(depth, deepestIndent) * 14 }}
    >
      <ChevronRight
        aria-hidden
        className={cx(
          'mt-px size-3.5 shrink-0 text-text-3',
          isOpen && 'rotate-90',
          !canFold && 'invisible',
        )}
      />
      {label !== undefined && (
        <span
          className={cx(
            'max-w-[40%] shrink-0 [overflow-wrap:anywhere]',
            isElement ? 'text-text-3' : 'text-text-1',
          )}
        >
          <Highlighted text={label} query={props.query} />
          <span className="text-text-3">:</span>
        </span>
      )}
      <span
        dir={preview.kind === 'string' ? 'auto' : undefined}
        className={cx(
          'min-w-0 [overflow-wrap:anywhere] whitespace-pre-wrap',
          colours[preview.kind],
        )}
      >
        {canFold && preview.kind === 'object' && (isOpen ? '{ ' : '{…} ')}
        {canFold && preview.kind === 'array' && (isOpen ? '[ ' : '[…] ')}
        {preview.kind === 'string' && preview.text === '' ? (
          <span className="text-text-3">""</span>
        ) : (
          <Highlighted text={preview.text} query={props.query} />
        )}
        {preview.length !== undefined && (
          <>
            {'… '}
            <button
              type="button"
              tabIndex={-1}
              className="font-sans text-accent underline"
              onClick={(event) => {
                event.stopPropagation()
                props.onWhole()
              }}
            >
              show all {formatExact(preview.length)} characters
            </button>
          </>
        )}
      </span>
    </div>
  )
}

function Highlighted({ text, query }: { text: string; query: string }) {
  if (query === '') return text
  return marked(text, query).map((piece, at) =>
    at % 2 === 1 ? (
      // Pieces have no identity other than their index.
      // oxlint-disable-next-line react/no-array-index-key
      <mark key={at} className="rounded-sm bg-warning-soft text-text-1 outline outline-warning">
        {piece}
      </mark>
    ) : (
      piece
    ),
  )
}
