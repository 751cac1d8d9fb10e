/** The selected rows, and the row from which Shift extends. */
export type Selection = { ids: ReadonlySet<string>; anchor: string | undefined }

export const noSelection: Selection = { ids: new Set(), anchor: undefined }

/** The ids with one more, or without it. */
export function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}

export function toggleRow(selection: Selection, id: string): Selection {
  return { ids: toggled(selection.ids, id), anchor: id }
}

/** Selects everything between the anchor and a row; without an anchor, only the row. */
export function selectTo(selection: Selection, id: string, order: readonly string[]): Selection {
  const from = selection.anchor === undefined ? -1 : order.indexOf(selection.anchor)
  const to = order.indexOf(id)
  if (from < 0 || to < 0) return { ids: new Set([...selection.ids, id]), anchor: id }
  const between = order.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ids: new Set([...selection.ids, ...between]), anchor: selection.anchor }
}

export function toggleAll(selection: Selection, order: readonly string[]): Selection {
  return isAllSelected(selection, order) ? noSelection : { ids: new Set(order), anchor: undefined }
}

export function isAllSelected(selection: Selection, order: readonly string[]): boolean {
  return order.length > 0 && order.every((id) => selection.ids.has(id))
}

/** Drops rows from the selection that no longer exist. */
export function keepExisting(selection: Selection, order: readonly string[]): Selection {
  const existing = new Set(order)
  const ids = [...selection.ids].filter((id) => existing.has(id))
  return ids.length === selection.ids.size
    ? selection
    : { ids: new Set(ids), anchor: selection.anchor }
}
