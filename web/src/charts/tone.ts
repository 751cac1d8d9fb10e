/** What a colour means in a chart. */
export type ChartTone = 'accent' | 'muted' | 'danger' | 'second'

/** The colour is the text's, so that strokes, areas and labels take it from one place. */
export const toneClass: Record<ChartTone, string> = {
  accent: 'text-accent',
  muted: 'text-text-3',
  danger: 'text-danger',
  second: 'text-type-tool',
}
