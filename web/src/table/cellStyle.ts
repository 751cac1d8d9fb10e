import type { CSSProperties } from 'react'
import type { PlacedColumn } from './columns'

/** Where a cell stands. A growing column is at least as wide as it should be. */
export function cellStyle<Row>(placed: PlacedColumn<Row>): CSSProperties {
  const grows = placed.column.grows && placed.left === undefined
  return { [grows ? 'minWidth' : 'width']: placed.width, left: placed.left }
}
