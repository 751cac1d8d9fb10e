import type { UiComponents } from '@/shared/api'
import { countColumn, moneyColumn } from '@/shared/table'

type Row = Pick<
  UiComponents['schemas']['UserRow'],
  'inputCost' | 'outputCost' | 'inputTokens' | 'outputTokens'
>

const options = { width: 120, hiddenAtFirst: true, sortable: true }

/** What costs and tokens consist of. */
export const costAndTokenColumns = [
  moneyColumn('inputCost', 'Input cost', (row: Row) => row.inputCost, options),
  moneyColumn('outputCost', 'Output cost', (row: Row) => row.outputCost, options),
  countColumn('inputTokens', 'Input tokens', (row: Row) => row.inputTokens, options),
  countColumn('outputTokens', 'Output tokens', (row: Row) => row.outputTokens, options),
]
