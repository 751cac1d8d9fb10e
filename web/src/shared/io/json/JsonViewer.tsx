import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react'
import { Callout, CopyButton, Dialog, MissingCode, Spinner } from '@/shared/ui'
import { formatBytes, formatExact } from '@/shared/lib/format'
import { useFoundText } from '../found'
import { RawText } from '../value/RawText'
import { JsonRow } from './JsonRow'
import { JsonToolbar } from './JsonToolbar'
import { mayBeCutAt, type JsonDocument } from './model/json'
import { pathOf } from './model/path'
import { lengthOf, previewOf } from './model/preview'
import {
  initialFolding,
  maxRows,
  revealing,
  rowOf,
  toggled,
  visibleRows,
  type Folding,
} from './model/rows'
import { hitNodes } from './model/search'
import { treeCommand } from './model/treeKeys'
import { wholeValue } from './model/wholeValue'
import type { Rest } from './rest'
import { useJsonDocument, type DocumentState } from './useJsonDocument'

const rowHeight = 22

/** Longer strings are opened by themselves, where only their visible part is rendered. */
const longestInRow = 20_000

type JsonViewerProps = {
  text: string
  label: string
  /** Whether the text is only the beginning of what is stored. */
  isCut?: boolean
  rest?: Rest
}

const noRest: Rest = {}

/** JSON as a tree. However long the text is, only visible rows are rendered. */
export function JsonViewer({ text, label, isCut = false, rest = noRest }: JsonViewerProps) {
  const { state, key } = useGrowing(useJsonDocument(text, isCut), isCut)
  switch (state.kind) {
    case 'reading':
      return (
        <p className="flex items-center gap-2 p-3 text-text-3">
          <Spinner /> Reading {formatBytes(text.length)}
        </p>
      )
    case 'failed':
      return (
        <>
          <MissingCode />
          <RawText text={text} label={label} />
        </>
      )
    case 'invalid':
      return <RawText text={text} label={label} />
    case 'read':
      return (
        <JsonTree
          // Another document is another tree: its folding starts over.
          key={key}
          document={state.document}
          search={state.search}
          label={label}
          isCut={isCut}
          rest={rest}
        />
      )
  }
}

type Read = Extract<DocumentState, { kind: 'read' }>

/**
 * When the rest of a document arrives, its tree stays as it is, with its focus, its search and what is unfolded: values
 * have the same numbers in both. The beginning is shown until the rest is read.
 */
function useGrowing(state: DocumentState, isCut: boolean): { state: DocumentState; key: number } {
  const [shown, setShown] = useState<{ state: Read; isCut: boolean; key: number }>()
  if (state.kind !== 'read')
    return shown?.isCut && !isCut && state.kind === 'reading' ? shown : { state, key: 0 }
  if (shown?.state === state && shown.isCut === isCut) return shown
  const hasGrown =
    shown?.isCut === true &&
    !isCut &&
    state.document.index.count >= shown.state.document.index.count
  const next = { state, isCut, key: hasGrown ? shown.key : state.id }
  setShown(next)
  return next
}

type JsonTreeProps = {
  document: JsonDocument
  search: (query: string, then: (offsets: Uint32Array) => void) => void
  label: string
  isCut: boolean
  rest: Rest
}

function JsonTree({ document, search, label, isCut, rest }: JsonTreeProps) {
  const { index } = document
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [folding, setFolding] = useState<Folding>(() => initialFolding(index))
  const [current, setCurrent] = useState(0)
  const [whole, setWhole] = useState<ReadonlySet<number>>(new Set())
  /** A string that is too long for a row. */
  const [opened, setOpened] = useState<number>()
  const [query, setQuery] = useState('')
  const [hits, setHits] = useState<number[]>([])
  const rows = useMemo(() => visibleRows(index, folding), [index, folding])
  const hitSet = useMemo(() => new Set(hits), [hits])
  const virtual = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (row) => rows.nodes[row] ?? row,
    overscan: 10,
    initialRect: { width: 600, height: 400 },
  })
  const virtualRows = virtual.getVirtualItems()
  const showWhole = (node: number) => {
    if (lengthOf(document, node) > longestInRow) setOpened(node)
    else setWhole(new Set([...whole, node]))
  }

  const go = (node: number) => {
    const next = revealing(index, folding, node)
    setFolding(next)
    setCurrent(node)
    const row = rowOf(visibleRows(index, next), node)
    // The rows to scroll to exist after the next paint.
    requestAnimationFrame(() => virtual.scrollToIndex(row, { align: 'center' }))
  }
  // The same search in what has arrived since; nobody is moved away from the hit they look at.
  const searchAgain = useEffectEvent(() => {
    if (query === '') return
    search(query, (offsets) => {
      const found = hitNodes(document, offsets)
      setHits(found)
      if (hits.length === 0 && found[0] !== undefined) go(found[0])
    })
  })
  useEffect(() => searchAgain(), [document])
  const onQuery = (next: string) => {
    setQuery(next)
    // A search is one of the whole value.
    if (isCut && query === '' && next !== '' && rest.isLoading !== true) rest.onLoad?.()
    if (next === '') setHits([])
    else
      search(next, (offsets) => {
        const found = hitNodes(document, offsets)
        setHits(found)
        const first = found.find((node) => node >= current) ?? found[0]
        if (first !== undefined) go(first)
      })
  }
  const found = useFoundText()
  const find = useEffectEvent(onQuery)
  // What is searched for around the viewer is searched for in it, in a worker if it is long.
  useEffect(() => {
    if (found === '') return
    find(found)
    return () => find('')
  }, [found])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const command = treeCommand(event.key, current, index, rows, folding, page)
    if (!command) return
    if (command.kind === 'toggle') setFolding(toggled(folding, command.node))
    else if (command.kind === 'showWhole') showWhole(command.node)
    else {
      setCurrent(rows.nodes[command.row] ?? 0)
      virtual.scrollToIndex(command.row)
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const currentRow = rowOf(rows, current)
  return (
    <div className="flex min-h-0 min-w-0 flex-col">
      <JsonToolbar
        document={document}
        label={label}
        isCut={isCut}
        rest={rest}
        current={current}
        query={query}
        hits={hits}
        onQuery={onQuery}
        onGo={go}
        onLevel={(level) => setFolding({ level, toggled: new Set() })}
      />
      {rows.isPartial && (
        <Callout tone="warning">
          Only the first {formatExact(maxRows)} rows are shown. Collapse something to see what
          follows.
        </Callout>
      )}
      <div
        ref={scroller}
        role="tree"
        aria-label={label}
        aria-activedescendant={currentRow === -1 ? undefined : `${id}-${current}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        className="max-h-[28rem] min-h-0 overflow-auto py-1 font-mono text-sm focus-visible:-outline-offset-2"
      >
        <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
          <div
            role="presentation"
            className="absolute top-0 left-0 w-full"
            style={{ transform: `translateY(${virtualRows[0]?.start ?? 0}px)` }}
          >
            {virtualRows.map(({ index: row }) => {
              const node = rows.nodes[row] ?? 0
              return (
                <JsonRow
                  key={node}
                  measure={virtual.measureElement}
                  row={row}
                  id={`${id}-${node}`}
                  document={document}
                  node={node}
                  depth={rows.depths[row] ?? 0}
                  folding={folding}
                  isCurrent={node === current}
                  isWhole={whole.has(node)}
                  query={hitSet.has(node) ? query : ''}
                  onSelect={() => setCurrent(node)}
                  onToggle={() => {
                    setCurrent(node)
                    setFolding(toggled(folding, node))
                  }}
                  onWhole={() => showWhole(node)}
                />
              )
            })}
          </div>
        </div>
      </div>
      <Dialog
        title={opened === undefined ? '' : `${label}: ${pathOf(document, opened).slice(0, 200)}`}
        size="lg"
        isOpen={opened !== undefined}
        onClose={() => setOpened(undefined)}
      >
        {opened !== undefined && (
          <LongString
            document={document}
            node={opened}
            isCut={isCut && mayBeCutAt(document, opened)}
            loadWhole={rest.loadWhole}
          />
        )}
      </Dialog>
    </div>
  )
}

type LongStringProps = Pick<Rest, 'loadWhole'> & {
  document: JsonDocument
  node: number
  isCut: boolean
}

/** A string that would take too long to lay out in its row. */
function LongString({ document, node, isCut, loadWhole }: LongStringProps) {
  const text = useMemo(() => previewOf(document, node, Infinity).text, [document, node])
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex items-center gap-2 text-sm text-text-3">
        {isCut ? `The first ${formatExact(text.length)}` : formatExact(text.length)} characters
        {isCut && !loadWhole ? (
          <CopyButton text={text} label="Copy the shown part of the text" />
        ) : (
          <CopyButton
            text={
              isCut && loadWhole
                ? async () => wholeValue(document, node, await loadWhole()).asText
                : text
            }
            label="Copy the text"
          />
        )}
      </div>
      <div className="min-w-0 rounded-md border border-border">
        <RawText text={text} label="Text" />
      </div>
    </div>
  )
}
