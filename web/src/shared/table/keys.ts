/** What a key does in a table. */
export type TableCommand =
  | { kind: 'move'; to: number }
  | { kind: 'extend'; to: number }
  | { kind: 'open' }
  | { kind: 'toggle' }
  | { kind: 'selectAll' }
  | { kind: 'filter' }
  | { kind: 'expand'; isExpanded: boolean }
  | { kind: 'leave' }

type KeyPress = {
  key: string
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

/**
 * The command for a key, given the current row, the number of rows and the number of rows per page. J and K are down
 * and up, Enter opens, X or Space selects, F filters by a value of the row, Shift extends, the right and left arrows expand and collapse, Esc leaves.
 */
export function commandOf(
  press: KeyPress,
  current: number,
  count: number,
  page: number,
): TableCommand | undefined {
  if (press.altKey) return undefined
  if (press.ctrlKey || press.metaKey)
    return press.key === 'a' && count > 0 ? { kind: 'selectAll' } : undefined
  const move = (to: number): TableCommand | undefined => {
    if (count === 0) return undefined
    const bounded = Math.min(count - 1, Math.max(0, to))
    return press.shiftKey ? { kind: 'extend', to: bounded } : { kind: 'move', to: bounded }
  }
  switch (press.key) {
    case 'j':
    case 'J':
    case 'ArrowDown':
      return move(current + 1)
    case 'k':
    case 'K':
    case 'ArrowUp':
      return move(current < 0 ? 0 : current - 1)
    case 'PageDown':
      return move(current + page)
    case 'PageUp':
      return move(current - page)
    case 'Home':
      return move(0)
    case 'End':
      return move(count - 1)
    case 'Enter':
      return current >= 0 ? { kind: 'open' } : undefined
    case 'x':
    case ' ':
      return current >= 0 ? { kind: 'toggle' } : undefined
    case 'f':
      return current >= 0 ? { kind: 'filter' } : undefined
    case 'ArrowRight':
    case 'ArrowLeft':
      return current >= 0 ? { kind: 'expand', isExpanded: press.key === 'ArrowRight' } : undefined
    case 'Escape':
      return { kind: 'leave' }
    default:
      return undefined
  }
}
