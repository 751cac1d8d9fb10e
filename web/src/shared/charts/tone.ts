/** What a colour means in a chart; series that only have to be told apart have numbers. */
export type ChartTone = 'accent' | 'muted' | 'danger' | 'second' | SeriesTone
export type SeriesTone = `series-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`

/** Sets the text colour, which strokes, areas and labels inherit. */
export const toneClass: Record<ChartTone, string> = {
  accent: 'text-accent',
  muted: 'text-text-3',
  danger: 'text-danger',
  second: 'text-type-tool',
  'series-1': 'text-series-1',
  'series-2': 'text-series-2',
  'series-3': 'text-series-3',
  'series-4': 'text-series-4',
  'series-5': 'text-series-5',
  'series-6': 'text-series-6',
  'series-7': 'text-series-7',
  'series-8': 'text-series-8',
}

/** The colours of series, in the order in which they are given out. */
export const seriesTones: readonly SeriesTone[] = [
  'series-1',
  'series-2',
  'series-3',
  'series-4',
  'series-5',
  'series-6',
  'series-7',
  'series-8',
]
