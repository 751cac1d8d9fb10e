import { LoadError } from '@/features/failures'
import { Skeleton, Tabs } from '@/ui'
import { useDetail } from '../api/useDetail'
import type { Tree } from '../model/tree'
import { traceRow } from '../model/visible'
import type { WireTree } from '../model/wire'
import type { Tab } from '../state'
import { CommentsTab } from './CommentsTab'
import { MetadataTab } from './MetadataTab'
import { ObservationFacts } from './ObservationFacts'
import { PreviewTab } from './PreviewTab'
import { RawTab } from './RawTab'
import { ScoresTab } from './ScoresTab'
import { TraceFacts } from './TraceFacts'

export type DetailTab = Extract<Tab, 'preview' | 'scores' | 'comments' | 'metadata' | 'raw'>

type DetailPaneProps = {
  projectId: string
  wire: WireTree
  tree: Tree
  /** The row that is shown; the trace itself is one, too. */
  row: number
  tab: DetailTab
  onTab: (tab: DetailTab) => void
}

/** Everything about the selected observation, or about the trace. */
export function DetailPane({ projectId, wire, tree, row, tab, onTab }: DetailPaneProps) {
  const isTrace = row === traceRow
  // What a trace says about itself is with its first observation.
  const observationId = tree.ids[isTrace ? 0 : row]
  const detail = useDetail(projectId, wire.traceId, observationId)
  const loaded = (content: (data: NonNullable<typeof detail.data>) => React.ReactNode) =>
    detail.data ? (
      content(detail.data)
    ) : detail.isError ? (
      <LoadError title="The observation could not be loaded" query={detail} />
    ) : (
      <div aria-busy="true" className="flex flex-col gap-2">
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-40 w-full" />
      </div>
    )
  const subject = {
    projectId,
    traceId: wire.traceId,
    observationId: isTrace ? undefined : observationId,
  }
  return (
    <div className="flex min-w-0 flex-col gap-3 p-3">
      {isTrace ? (
        <TraceFacts projectId={projectId} wire={wire} />
      ) : (
        <ObservationFacts projectId={projectId} tree={tree} row={row} detail={detail.data} />
      )}
      <Tabs<DetailTab>
        label={isTrace ? 'Trace' : 'Observation'}
        value={tab}
        onChange={onTab}
        tabs={[
          {
            id: 'preview',
            label: 'Preview',
            content: loaded((data) => (
              <PreviewTab key={data.id} projectId={projectId} detail={data} isTrace={isTrace} />
            )),
          },
          {
            id: 'scores',
            label: <CountLabel label="Scores" count={isTrace ? 0 : (tree.scores[row] ?? 0)} />,
            content: <ScoresTab {...subject} tree={tree} />,
          },
          {
            id: 'comments',
            label: <CountLabel label="Comments" count={isTrace ? 0 : (tree.comments[row] ?? 0)} />,
            content: <CommentsTab key={observationId} {...subject} />,
          },
          {
            id: 'metadata',
            label: 'Metadata',
            content: loaded((data) => (
              <MetadataTab key={data.id} projectId={projectId} detail={data} />
            )),
          },
          { id: 'raw', label: 'Raw', content: loaded((data) => <RawTab detail={data} />) },
        ]}
      />
    </div>
  )
}

function CountLabel({ label, count }: { label: string; count: number }) {
  return (
    <>
      {label}
      {count > 0 && <span className="tabular ml-1 text-sm text-text-3">{count}</span>}
    </>
  )
}
