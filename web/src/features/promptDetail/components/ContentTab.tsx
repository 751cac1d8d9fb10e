import { Link } from '@tanstack/react-router'
import { GitCompareArrows } from 'lucide-react'
import { useMemo } from 'react'
import { QueryView } from '@/shared/errors'
import { prettyText } from '@/shared/io'
import {
  byImportance,
  isEmptyConfig,
  latest,
  PromptContent,
  PromptDiff,
  PromptVariables,
  usePromptVersion,
  type PromptVersion,
  type PromptVersionsPage,
  type Resolved,
} from '@/shared/prompts'
import { useSearchState } from '@/shared/lib/useSearchState'
import {
  Button,
  Callout,
  CodeBlock,
  CopyButton,
  linkClass,
  Menu,
  SegmentedControl,
} from '@/shared/ui'
import { copiedAll, copiedText } from '../model/copied'

type ContentTabProps = {
  projectId: string
  prompt: PromptVersion
  /** The version that it is compared with. */
  diff: number | undefined
  head: PromptVersionsPage
}

/** What a version says, or how it differs from another one. */
export function ContentTab({ projectId, prompt, diff, head }: ContentTabProps) {
  return diff === undefined || diff === prompt.version ? (
    <Content projectId={projectId} prompt={prompt} head={head} />
  ) : (
    <Difference projectId={projectId} prompt={prompt} diff={diff} />
  )
}

const views = [
  { id: 'written', label: 'As written' },
  { id: 'resolved', label: 'Resolved' },
] as const

function Content({ projectId, prompt, head }: Omit<ContentTabProps, 'diff'>) {
  const [search, change] = useSearchState()
  const hasReferences = prompt.references.length > 0
  const isResolved = hasReferences && search.view === 'resolved'
  const resolved = usePromptVersion(
    projectId,
    prompt.name,
    isResolved ? prompt.version : undefined,
    { resolve: true },
  )
  const body = (isResolved && resolved.data?.resolved?.body) || prompt.body
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        {hasReferences && (
          <SegmentedControl
            label="How to show references"
            options={views}
            value={isResolved ? 'resolved' : 'written'}
            onChange={(view) => change({ view: view === 'resolved' ? view : undefined })}
          />
        )}
        <span className="ml-auto flex items-center gap-1">
          <CompareMenu prompt={prompt} head={head} />
          <CopyButton
            text={copiedText(body)}
            label={body.type === 'chat' ? 'Copy messages' : 'Copy text'}
            withWords
          />
          <CopyButton text={copiedAll(body)} label="Copy as JSON" withWords />
        </span>
      </div>
      <PromptVariables body={body} />
      {isResolved ? (
        <QueryView query={resolved} what="what is referred to" skeleton="h-40">
          {(shown) =>
            shown.resolved ? (
              <>
                <Inserted projectId={projectId} inserted={shown.resolved.inserted} />
                <PromptContent body={shown.resolved.body} />
              </>
            ) : (
              <Callout tone="danger" title="The references cannot be resolved">
                {shown.problem} Applications that read this version get an error.
              </Callout>
            )
          }
        </QueryView>
      ) : (
        <PromptContent body={prompt.body} />
      )}
      <Config config={prompt.body.config} />
    </div>
  )
}

/** The versions that were inserted. */
function Inserted({ projectId, inserted }: { projectId: string; inserted: Resolved['inserted'] }) {
  return (
    <p className="flex flex-wrap gap-x-2 text-sm text-text-3">
      Inserted:
      {inserted.map(({ name, version }) => (
        <Link
          key={`${version} ${name}`}
          to="/project/$projectId/prompts/$promptName"
          params={{ projectId, promptName: name }}
          search={{ version: String(version) }}
          className={linkClass}
        >
          {name} v{version}
        </Link>
      ))}
    </p>
  )
}

const longestConfig = 200_000

function Config({ config }: { config: string }) {
  const shown = useMemo(() => prettyText(config) ?? config, [config])
  return (
    <section aria-label="Config" className="flex min-w-0 flex-col gap-1.5">
      <h3 className="font-medium">Config</h3>
      {isEmptyConfig(config) ? (
        <p className="text-text-3">
          Empty. Applications read it with the prompt, for example the model and its parameters.
        </p>
      ) : (
        <CodeBlock code={shown.slice(0, longestConfig)} copied={config} label="config" wrap />
      )}
    </section>
  )
}

/** Compares with the version before, or with one that has a label. */
function CompareMenu({ prompt, head }: { prompt: PromptVersion; head: PromptVersionsPage }) {
  const [, change] = useSearchState()
  const { version } = prompt
  const before = head.versions.map((row) => row.version).find((each) => each < version)
  const previous = before ?? (version > 1 ? version - 1 : undefined)
  const labels = Object.keys(head.labels)
    .filter((label) => label !== latest && head.labels[label] !== version)
    .toSorted(byImportance)
  const compare = (other: number | undefined) =>
    other !== undefined &&
    change({ version: String(version), label: undefined, diff: String(other) })
  if (previous === undefined && labels.length === 0 && head.newest === version) return null
  return (
    <Menu
      label="Compare with"
      placement="bottom end"
      trigger={
        <Button size="sm" icon={<GitCompareArrows aria-hidden />}>
          Compare
        </Button>
      }
      actions={[
        previous !== undefined && {
          id: 'before',
          label: `With the version before, v${previous}`,
          onAction: () => compare(previous),
        },
        head.newest !== version && {
          id: 'newest',
          label: `With the newest, v${head.newest}`,
          onAction: () => compare(head.newest),
        },
        ...labels.slice(0, 20).map((label) => ({
          id: `label ${label}`,
          label: `With ${label}, v${head.labels[label]}`,
          onAction: () => compare(head.labels[label]),
        })),
      ]}
    />
  )
}

type DifferenceProps = { projectId: string; prompt: PromptVersion; diff: number }

function Difference({ projectId, prompt, diff }: DifferenceProps) {
  const [, change] = useSearchState()
  const before = usePromptVersion(projectId, prompt.name, diff)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-medium">
          Version {diff} → version {prompt.version}
        </h3>
        <span className="ml-auto flex gap-1">
          <Button
            size="sm"
            onPress={() =>
              change({ version: String(diff), label: undefined, diff: String(prompt.version) })
            }
          >
            Swap
          </Button>
          <Button size="sm" onPress={() => change({ diff: undefined })}>
            Stop comparing
          </Button>
        </span>
      </div>
      <QueryView query={before} what={`version ${diff}`} skeleton="h-40">
        {(shown) => (
          <PromptDiff
            before={shown.body}
            after={prompt.body}
            names={[`Version ${diff}`, `Version ${prompt.version}`]}
          />
        )}
      </QueryView>
    </div>
  )
}
