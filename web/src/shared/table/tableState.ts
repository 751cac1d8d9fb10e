/**
 * The user's configuration of a table. It is kept in the URL; anything absent has the default of the page's columns.
 */
export type TableState = {
  sort?: Sort
  /** Column ids in order; columns that are not listed follow in the page's order. */
  order?: string[]
  hidden?: string[]
  /** Columns that are shown although the page hides them by default. */
  shown?: string[]
  pinned?: string[]
  widths?: Record<string, number>
}

export type Sort = { column: string; direction: 'asc' | 'desc' }

export const minWidth = 48
export const maxWidth = 1200

/**
 * The search parameters of a table, short and readable: sort=name.desc, cols=a,b (order), hide=, show=, pin=, w=a:120,b:80.
 * Every list's search schema includes them.
 */
export const tableSearchNames = ['sort', 'cols', 'hide', 'show', 'pin', 'w'] as const

export type TableSearch = { [name in (typeof tableSearchNames)[number]]?: string }

export function decodeTableState(search: TableSearch): TableState {
  const state: TableState = {}
  const sort = /^(.+)\.(asc|desc)$/.exec(search.sort ?? '')
  if (sort?.[1] !== undefined)
    state.sort = { column: sort[1], direction: sort[2] === 'asc' ? 'asc' : 'desc' }
  const order = list(search.cols)
  if (order) state.order = order
  const hidden = list(search.hide)
  if (hidden) state.hidden = hidden
  const shown = list(search.show)
  if (shown) state.shown = shown
  const pinned = list(search.pin)
  if (pinned) state.pinned = pinned
  const widths: Record<string, number> = {}
  for (const part of list(search.w) ?? []) {
    const at = part.lastIndexOf(':')
    const width = Number(part.slice(at + 1))
    if (at > 0 && Number.isFinite(width)) widths[part.slice(0, at)] = clampWidth(width)
  }
  if (Object.keys(widths).length > 0) state.widths = widths
  return state
}

/** The search parameters of a state; undefined removes a parameter from the URL. */
export function encodeTableState(state: TableState): TableSearch {
  const widths = Object.entries(state.widths ?? {}).map(
    ([id, width]) => `${id}:${Math.round(width)}`,
  )
  return {
    sort: state.sort ? `${state.sort.column}.${state.sort.direction}` : undefined,
    cols: text(state.order),
    hide: text(state.hidden),
    show: text(state.shown),
    pin: text(state.pinned),
    w: text(widths),
  }
}

export function clampWidth(width: number): number {
  return Math.min(maxWidth, Math.max(minWidth, width))
}

function list(value: string | undefined): string[] | undefined {
  const items = (value ?? '').split(',').filter((item) => item !== '')
  return items.length === 0 ? undefined : [...new Set(items)]
}

function text(items: string[] | undefined): string | undefined {
  return items && items.length > 0 ? items.join(',') : undefined
}
