import type { ReactNode } from 'react'
import { Duration, ErrorCount, Identifier, Money, Time, Tokens } from '@/shared/ui'
import type { Column, SortValue } from './columns'

/** What differs from other columns of the kind. */
type Options<Row> = Partial<Omit<Column<Row>, 'id' | 'header' | 'value'>>

/** A column of a kind: from the value of a row to its cell. */
function kind<V extends SortValue>(cell: (value: V) => ReactNode, defaults: Options<never>) {
  return <Row,>(
    id: string,
    header: string,
    value: (row: Row) => V,
    options?: Options<Row>,
  ): Column<Row> => ({
    id,
    header,
    value,
    ...(defaults as Options<Row>),
    cell: (row) => cell(value(row)),
    ...options,
  })
}

/** When something is to happen, such as "in 7 d". */
export const upcomingColumn = kind<string | null | undefined>((at) => <Time at={at} upcoming />, {
  width: 104,
})

/** When something happened, such as "3 min ago". */
export const timeColumn = kind<string | null | undefined>((at) => <Time at={at} />, { width: 104 })

/** A duration in seconds. */
export const durationColumn = kind<number | null | undefined>(
  (seconds) => <Duration milliseconds={seconds && seconds * 1000} />,
  { width: 90, align: 'end' },
)

/** US dollars. */
export const moneyColumn = kind<number | null | undefined>(
  (amount) => <Money amount={amount} isNarrow />,
  {
    width: 100,
    align: 'end',
  },
)

/** A number of things. */
export const countColumn = kind<number | null | undefined>((count) => <Tokens count={count} />, {
  width: 90,
  align: 'end',
})

/** A number of errors; nothing for zero. */
export const errorsColumn = kind<number>((count) => <ErrorCount count={count} />, { width: 108 })

/** An id. */
export const idColumn = kind<string | null>((id) => id !== null && <Identifier id={id} />, {
  width: 160,
})

/** The last column: what can be done with a row. It cannot be hidden. */
export function actionsColumn<Row>(cell: (row: Row) => ReactNode): Column<Row> {
  return { id: 'actions', header: 'Actions', width: 80, required: true, hasControls: true, cell }
}
