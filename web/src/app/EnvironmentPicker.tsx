import { Layers } from 'lucide-react'
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { useEnvironments } from '@/shared/scope'
import { Button, Checkbox } from '@/shared/ui'
import { toList, useScopeSearch } from '@/shared/scope'

/** Picks the environments that the page shows; none chosen means all. */
export function EnvironmentPicker({ projectId }: { projectId: string }) {
  const [search, change] = useScopeSearch()
  const chosen = toList(search.environment)
  const label =
    chosen.length === 0
      ? 'All environments'
      : chosen.length === 1
        ? (chosen[0] ?? '')
        : `${chosen.length} environments`
  return (
    <DialogTrigger>
      <AriaButton
        aria-label={`Environment: ${label}`}
        className="flex h-7 min-w-0 flex-1 items-center gap-1.5 rounded-md border border-border bg-surface-0 px-2 hover:bg-surface-2 sm:max-w-48 sm:flex-none"
      >
        <Layers aria-hidden className="size-3.5 shrink-0 text-text-3" />
        <span className="truncate text-sm">{label}</span>
      </AriaButton>
      <Popover
        placement="bottom end"
        className="z-overlay w-56 rounded-md bg-surface-0 shadow-pop outline-none"
      >
        <Dialog aria-label="Environment" className="flex flex-col gap-2 p-3 outline-none">
          <EnvironmentList
            projectId={projectId}
            chosen={chosen}
            onChange={(next) => change({ environment: next.length === 0 ? undefined : next })}
          />
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

/** Mounted while the popover is open, so that the environments are loaded only then. */
function EnvironmentList({
  projectId,
  chosen,
  onChange,
}: {
  projectId: string
  chosen: string[]
  onChange: (next: string[]) => void
}) {
  const environments = useEnvironments(projectId)
  const known = [...new Set([...(environments.data ?? []), ...chosen])].toSorted()
  return (
    <>
      {environments.isPending && <p className="text-text-3">Loading environments…</p>}
      {environments.isError && <p className="text-danger">Couldn’t load environments.</p>}
      {environments.isSuccess && known.length === 0 && (
        <p className="text-text-3">No traces yet, so no environments.</p>
      )}
      {known.map((name) => (
        <Checkbox
          key={name}
          isSelected={chosen.includes(name)}
          onChange={(isSelected) =>
            onChange(isSelected ? [...chosen, name] : chosen.filter((each) => each !== name))
          }
        >
          <span className="break-all">{name}</span>
        </Checkbox>
      ))}
      {chosen.length > 0 && (
        <Button size="sm" variant="ghost" onPress={() => onChange([])}>
          All environments
        </Button>
      )}
    </>
  )
}
