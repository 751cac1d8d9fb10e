/** What a colour means in a chart. */
export type ChartTone = 'accent' | 'muted' | 'danger' | 'second'

/** Sets the text colour, which strokes, areas and labels inherit. */
export const toneClass: Record<ChartTone, string> = {
  accent: 'text-accent',
  muted: 'text-text-3',
  danger: 'text-danger',
  second: 'text-type-tool',
}
