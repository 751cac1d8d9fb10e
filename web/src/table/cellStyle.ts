import type { CSSProperties } from 'react'
import type { PlacedColumn } from './columns'

/** Where a cell stands. */
export function cellStyle<Row>(placed: PlacedColumn<Row>): CSSProperties {
  return { width: placed.width, left: placed.left }
}
