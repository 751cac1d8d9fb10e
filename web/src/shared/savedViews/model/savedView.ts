import type { UiComponents } from '@/shared/api'

export type ViewState = UiComponents['schemas']['ViewState']
type SavedView = UiComponents['schemas']['SavedView']

/** The search parameters of a URL, by name. */
export type Address = Record<string, string | string[] | undefined>

const texts = ['filter', 'search', 'sort', 'cols', 'hide', 'show', 'pin', 'w', 'group'] as const

/** The part of a URL that a view stores. Without a time range, the view takes that of the page. */
export function stateOf(address: Address, withTime: boolean): ViewState {
  const state: ViewState = {}
  for (const name of texts) {
    const text = one(address[name])
    if (text !== '') state[name] = text
  }
  const dateRange = one(address.dateRange)
  if (withTime && dateRange !== '') state.dateRange = dateRange
  const environment = list(address.environment)
  if (environment.length > 0) state.environment = environment
  return state
}

/** The search parameters that show a view: those the view does not set are removed, except for the time range. */
export function addressOf(view: Pick<SavedView, 'id' | 'state'>): Address {
  const address: Address = { viewId: view.id }
  for (const name of texts) address[name] = view.state[name] || undefined
  if (view.state.dateRange) address.dateRange = view.state.dateRange
  address.environment = view.state.environment?.length ? view.state.environment : undefined
  return address
}

/** Whether the URL shows something other than the view that it names. */
export function isChanged(view: Pick<SavedView, 'state'>, address: Address): boolean {
  const hasTime = view.state.dateRange !== undefined
  return JSON.stringify(sorted(view.state)) !== JSON.stringify(sorted(stateOf(address, hasTime)))
}

/** Whether the URL sets nothing that a view could set, like a plain link or an entry of the rail. */
export function isBare(address: Address): boolean {
  return texts.every((name) => one(address[name]) === '')
}

/** The view that a table opens with: the one named in the URL, or else a default. */
export function viewToOpen(
  views: readonly SavedView[],
  table: SavedView['table'],
  address: Address,
): SavedView | undefined {
  if (!isBare(address)) return undefined
  const named = one(address.viewId)
  const here = views.filter((view) => view.table === table)
  if (named !== '') return here.find(({ id }) => id === named)
  return here.find((view) => view.isMyDefault) ?? here.find((view) => view.isProjectDefault)
}

function sorted(state: ViewState): [string, unknown][] {
  return Object.entries(state)
    .filter(([, value]) => value !== undefined && value !== '' && value.length > 0)
    .sort(([a], [b]) => a.localeCompare(b))
}

function one(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

function list(value: string | string[] | undefined): string[] {
  return (Array.isArray(value) ? value : [value ?? '']).filter((each) => each !== '')
}
