import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { projectKey } from '@/shared/api'
import { useUser } from '@/shared/currentUser'
import { LoadError } from '@/shared/errors'
import { useSearchState } from '@/shared/lib/useSearchState'
import { ErrorState, Skeleton } from '@/shared/ui'
import { sourceOfObservation, sourceOfPrompt, type Source } from '../api/fetchSource'
import { useModels } from '@/shared/llmModels'
import { openSaved } from '../api/useSaved'
import { withModel } from '../model/chooseModel'
import { readDraft, type Draft } from '../model/draft'
import { emptyState, isPristine, type State } from '../model/state'
import { Workspace } from './Workspace'

type Opened = { draft: Draft; notes: string[]; aside?: State }

/** What is shown, by the URL that asked for it. */
type Shown = { serial: number; token: string; opened: Opened }

/** What the URL opens: a saved playground, a prompt version, a generation, or what was here before. */
export function Opener({ projectId }: { projectId: string }) {
  const user = useUser()
  const [search, changeSearch] = useSearchState()
  const saved = given(search.saved)
  const prompt = given(search.prompt)
  const version = given(search.version)
  const observation = given(search.observation)
  const trace = given(search.trace)
  const isSource = prompt !== undefined || observation !== undefined
  const token = isSource
    ? JSON.stringify([prompt, version, observation, trace])
    : saved === undefined
      ? ''
      : savedToken(saved)
  const [shown, setShown] = useState<Shown | undefined>(() => {
    const before = readDraft(user.id, projectId)
    if (isSource || (saved !== undefined && before?.saved?.id !== saved)) return undefined
    return { serial: 0, token, opened: { draft: before ?? { state: emptyState() }, notes: [] } }
  })
  const models = useModels(projectId)
  const isWanted = token !== '' && shown?.token !== token
  const query = useQuery({
    queryKey: projectKey(projectId, 'playground', 'open', token),
    enabled: isWanted,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }): Promise<Opened> => {
      const before = readDraft(user.id, projectId)
      if (prompt !== undefined)
        return opened(await sourceOfPrompt(projectId, prompt, Number(version), signal), before)
      if (observation !== undefined)
        return opened(await sourceOfObservation(projectId, observation, trace, signal), before)
      return { draft: await openSaved(projectId, saved ?? '', signal), notes: [], ...aside(before) }
    },
  })
  if (isWanted && query.data)
    setShown({ serial: (shown?.serial ?? 0) + 1, token, opened: query.data })
  if (prompt !== undefined && !/^\d+$/.test(version ?? ''))
    return (
      <ErrorState title="This link has no version" message="It names a prompt without a version." />
    )
  if (query.isError && isWanted)
    return <LoadError title="Couldn’t open this in the playground" query={query} />
  if (models.isError && !models.data)
    return <LoadError title="Couldn’t load the models" query={models} />
  if (!shown || isWanted || !models.data)
    return (
      <div aria-busy="true" className="flex flex-col gap-3">
        <Skeleton className="h-8 w-full" />
        <Skeleton className="h-80 w-full" />
      </div>
    )
  const { draft, notes } = shown.opened
  const panes = draft.state.panes.map((pane) => withModel(pane, models.data))
  return (
    <Workspace
      key={shown.serial}
      projectId={projectId}
      models={models.data}
      start={{ ...draft, state: { ...draft.state, panes } }}
      notes={notes}
      aside={shown.opened.aside}
      // What was opened is a draft now, which a reload keeps.
      onKept={() => {
        if (isSource)
          changeSearch(
            { prompt: undefined, version: undefined, observation: undefined, trace: undefined },
            { replace: true },
          )
      }}
      onSaved={(id) => {
        setShown({ ...shown, token: id === undefined ? '' : savedToken(id) })
        changeSearch({ saved: id })
      }}
    />
  )
}

const savedToken = (id: string) => `saved ${id}`

const given = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

function opened(source: Source, before: Draft | undefined): Opened {
  const { pane, variables, placeholders, notes } = source
  return {
    draft: { state: { ...emptyState(), panes: [pane], variables, placeholders } },
    notes,
    ...aside(before),
  }
}

/** What was on the page before is not lost. */
function aside(before: Draft | undefined): { aside?: State } {
  return before && !isPristine(before.state) ? { aside: before.state } : {}
}
