import { traceSearchNames } from '@/features/traceDetail'
import { strings } from '@/shared/lib/search'
import { tableSearchNames } from '@/shared/table'

export const experimentsSearchNames = [...tableSearchNames, 'dataset', 'search'] as const

const texts = strings(
  'baseline',
  // Whether items that the baseline lacks are shown: baseline-only or all.
  'itemVisibility',
  'only',
  'measure',
  'item',
  'peek',
  ...tableSearchNames,
  ...traceSearchNames,
)

type Lists = {
  /** The experiments that are compared with the baseline. */
  c?: string[]
  /** The measures of which lower values are better. */
  lower?: string[]
}

/** The search parameters of the results: `c` and `lower` may be given several times. */
export function resultsSearch(search: Record<string, unknown>): ReturnType<typeof texts> & Lists {
  const { c, lower, ...rest } = search
  const found: Lists = {}
  const compared = textsOf(c)
  const lowered = textsOf(lower)
  if (compared.length > 0) found.c = compared
  if (lowered.length > 0) found.lower = lowered
  return { ...texts(rest), ...found }
}

function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter(
    (each): each is string => typeof each === 'string' && each !== '',
  )
}
