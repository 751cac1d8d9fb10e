import { useVirtualizer } from '@tanstack/react-virtual'
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { Callout, MissingCode, Spinner } from '@/shared/ui'
import { formatBytes, formatExact } from '@/shared/lib/format'
import { RawText } from '../value/RawText'
import { JsonRow } from './JsonRow'
import { JsonToolbar } from './JsonToolbar'
import type { JsonDocument } from './model/json'
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
import { useJsonDocument } from './useJsonDocument'

const rowHeight = 22

type JsonViewerProps = {
  text: string
  label: string
  /** Whether the text is only the beginning of what is stored. */
  isCut?: boolean
}

/** JSON as a tree. However long the text is, only visible rows are rendered. */
export function JsonViewer({ text, label, isCut = false }: JsonViewerProps) {
  const state = useJsonDocument(text, isCut)
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
          key={state.id}
          document={state.document}
          search={state.search}
          label={label}
          isCut={isCut}
        />
      )
  }
}

type JsonTreeProps = {
  document: JsonDocument
  search: (query: string, then: (offsets: Uint32Array) => void) => void
  label: string
  isCut: boolean
}

function JsonTree({ document, search, label, isCut }: JsonTreeProps) {
  const { index } = document
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [folding, setFolding] = useState<Folding>(() => initialFolding(index))
  const [current, setCurrent] = useState(0)
  const [whole, setWhole] = useState<ReadonlySet<number>>(new Set())
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
  const showWhole = (node: number) => setWhole(new Set([...whole, node]))

  const go = (node: number) => {
    const next = revealing(index, folding, node)
    setFolding(next)
    setCurrent(node)
    const row = rowOf(visibleRows(index, next), node)
    // The rows to scroll to exist after the next paint.
    requestAnimationFrame(() => virtual.scrollToIndex(row, { align: 'center' }))
  }
  const onQuery = (next: string) => {
    setQuery(next)
    if (next === '') setHits([])
    else
      search(next, (offsets) => {
        const found = hitNodes(document, offsets)
        setHits(found)
        const first = found.find((node) => node >= current) ?? found[0]
        if (first !== undefined) go(first)
      })
  }
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
    </div>
  )
}
