import { useState } from 'react'
import { Diff } from '@/shared/diff'
import { QueryView } from '@/shared/errors'
import { prettyText } from '@/shared/io'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import { Button, Select } from '@/shared/ui'
import { useItemAt, useItemVersions } from '../api/useItems'
import { itemDraft, newItem, type ItemDraft } from '../model/items'
import { differences, versionOptions, type ItemVersion } from '../model/versions'

type ItemHistoryProps = {
  projectId: string
  datasetId: string
  itemId: string
  /** Takes the values of a version over; absent if nothing can be changed. */
  onUse?: (values: ItemDraft) => void
}

/** The versions of an item, each with what it changed. */
export function ItemHistory(props: ItemHistoryProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex flex-col gap-3">
      <span>
        <Button size="sm" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          History
        </Button>
      </span>
      {isOpen && <Versions {...props} />}
    </div>
  )
}

function Versions(props: ItemHistoryProps) {
  const list = useItemVersions(props.projectId, props.datasetId, props.itemId)
  const zone = usePreference(zonePreference)
  const [chosen, setChosen] = useState<string>()
  return (
    <QueryView query={list} what="the versions" skeleton="h-24 w-full">
      {({ pages }) => {
        const versions = pages.flatMap((page) => page.versions)
        const at = Math.max(
          0,
          versions.findIndex((version) => version.at === chosen),
        )
        const shown = versions[at]
        return (
          <div className="flex flex-col gap-3">
            <div className="flex flex-wrap items-end gap-2">
              <Select
                label="Version"
                options={versionOptions(versions, list.hasNextPage, zone)}
                value={shown?.at ?? null}
                onChange={setChosen}
                className="min-w-64"
              />
              {list.hasNextPage && (
                <Button
                  onPress={() => void list.fetchNextPage()}
                  isPending={list.isFetchingNextPage}
                >
                  Load older versions
                </Button>
              )}
            </div>
            {shown && (
              <Changes
                key={shown.at}
                {...props}
                version={shown}
                before={versions[at + 1]}
                isFirst={at === versions.length - 1 && !list.hasNextPage}
                isCurrent={at === 0}
              />
            )}
          </div>
        )
      }}
    </QueryView>
  )
}

type ChangesProps = ItemHistoryProps & {
  version: ItemVersion
  before: ItemVersion | undefined
  isFirst: boolean
  isCurrent: boolean
}

/** What a version changed, compared with the one before it. */
function Changes({ projectId, datasetId, itemId, version, before, ...rest }: ChangesProps) {
  const stored = (of: ItemVersion | undefined) =>
    of === undefined || of.status === 'DELETED' ? undefined : of.at
  const after = useItemAt(projectId, datasetId, itemId, stored(version))
  const earlier = useItemAt(projectId, datasetId, itemId, stored(before))
  if (version.status === 'DELETED')
    return <p className="text-sm text-text-2">This version deleted the item.</p>
  if (before === undefined && !rest.isFirst)
    return <p className="text-sm text-text-2">Load older versions to see what this one changed.</p>
  const needsEarlier = stored(before) !== undefined
  const query = needsEarlier && earlier.data === undefined ? earlier : after
  return (
    <QueryView query={query} what="the version" skeleton="h-24 w-full">
      {() => {
        const draft = (item: typeof after.data) =>
          item ? itemDraft(item, (text) => prettyText(text) ?? text) : newItem
        const [from, to] = [draft(earlier.data), draft(after.data)]
        const changes = differences(from, to)
        return (
          <div className="flex flex-col gap-3">
            {before && before.status !== version.status && (
              <p className="text-sm text-text-2">
                {version.status === 'ARCHIVED'
                  ? 'The item was archived.'
                  : 'The item was restored.'}
              </p>
            )}
            {changes.length === 0 ? (
              <p className="text-sm text-text-2">No value was changed.</p>
            ) : (
              changes.map(({ field, label }) => (
                <div key={field} className="flex flex-col gap-1">
                  <span className="text-sm font-medium text-text-2">{label}</span>
                  <Diff label={label} before={from[field]} after={to[field]} maxHeight={240} />
                </div>
              ))
            )}
            {rest.onUse && !rest.isCurrent && (
              <span>
                <Button size="sm" onPress={() => rest.onUse?.(to)}>
                  Put these values into the editor
                </Button>
              </span>
            )}
          </div>
        )
      }}
    </QueryView>
  )
}
