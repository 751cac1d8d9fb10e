/** The meaning of a colour. */
export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger'
