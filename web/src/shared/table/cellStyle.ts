import type { CSSProperties } from 'react'
import type { PlacedColumn } from './columns'

/** The width and position of a cell. */
export function cellStyle<Row>(placed: PlacedColumn<Row>): CSSProperties {
  return { width: placed.width, left: placed.left }
}
