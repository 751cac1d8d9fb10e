import { shownTexts } from '@/shared/addTo'
import { LoadError } from '@/shared/errors'
import { Comments, type CommentSubject } from '@/shared/comments'
import { useSession } from '@/shared/currentUser'
import { Skeleton, Tabs } from '@/shared/ui'
import { useDetail } from '../api/useDetail'
import type { Tree } from '../model/tree'
import { traceRow } from '../model/visible'
import type { Detail, WireTree } from '../model/wire'
import type { Tab } from '../state'
import { Correction } from './Correction'
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
  /** The selected row, which may be the trace itself. */
  row: number
  tab: DetailTab
  onTab: (tab: DetailTab) => void
  onScore: () => void
}

/** Everything about the selected observation, or about the trace. */
export function DetailPane(props: DetailPaneProps) {
  const { projectId, wire, tree, row, tab, onTab, onScore } = props
  const isTrace = row === traceRow
  // Visitors see the published trace, but not what members say about it.
  const isVisitor = useSession().user === null
  // The attributes of a trace come with its first observation.
  const observationId = tree.ids[isTrace ? 0 : row]
  const detail = useDetail(projectId, wire.traceId, observationId)
  const loaded = (content: (data: NonNullable<typeof detail.data>) => React.ReactNode) =>
    detail.data ? (
      content(detail.data)
    ) : detail.isError ? (
      <LoadError title="Couldn’t load the observation" query={detail} />
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
  const target: CommentSubject = {
    projectId,
    kind: isTrace ? 'TRACE' : 'OBSERVATION',
    id: (isTrace ? undefined : observationId) ?? wire.traceId,
    traceId: wire.traceId,
  }
  const texts = detail.data && commentedTexts(detail.data, isTrace)
  const environment = isTrace
    ? wire.trace.environment
    : (detail.data?.environment ?? wire.trace.environment)
  const scores = {
    id: 'scores' as const,
    label: <CountLabel label="Scores" count={isTrace ? 0 : (tree.scores[row] ?? 0)} />,
    content: <ScoresTab {...subject} tree={tree} onScore={onScore} />,
  }
  const comments = {
    id: 'comments' as const,
    label: <CountLabel label="Comments" count={isTrace ? 0 : (tree.comments[row] ?? 0)} />,
    content: <Comments key={target.id} subject={target} texts={texts} />,
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
        value={isVisitor && (tab === 'scores' || tab === 'comments') ? 'preview' : tab}
        onChange={onTab}
        tabs={[
          {
            id: 'preview',
            label: 'Preview',
            content: loaded((data) => (
              <PreviewTab
                key={data.id}
                projectId={projectId}
                detail={data}
                isTrace={isTrace}
                subject={target}
                onOpenComments={() => onTab('comments')}
                afterOutput={
                  isVisitor
                    ? undefined
                    : (field) => (
                        <Correction
                          key={subject.observationId ?? ''}
                          projectId={projectId}
                          detail={data}
                          field={field}
                          observationId={subject.observationId}
                          environment={environment}
                          mayExist={isTrace || (tree.scores[row] ?? 0) > 0}
                        />
                      )
                }
              />
            )),
          },
          ...(isVisitor ? [] : [scores, comments]),
          {
            id: 'metadata',
            label: 'Metadata',
            content: loaded((data) => (
              <MetadataTab key={data.id} projectId={projectId} detail={data} />
            )),
          },
          {
            id: 'raw',
            label: 'Raw',
            content: loaded((data) => (
              <RawTab key={data.id} projectId={projectId} detail={data} isVisitor={isVisitor} />
            )),
          },
        ]}
      />
    </div>
  )
}

/** The texts that can be commented on: those that the preview shows. */
function commentedTexts({ texts }: Detail, isTrace: boolean) {
  const { input, output } = shownTexts(texts, isTrace)
  return {
    input: texts[input],
    output: texts[output],
    metadata: isTrace ? texts.traceMetadata : texts.metadata,
  }
}

function CountLabel({ label, count }: { label: string; count: number }) {
  return (
    <>
      {label}
      {count > 0 && <span className="tabular ml-1 text-sm text-text-3">{count}</span>}
    </>
  )
}
