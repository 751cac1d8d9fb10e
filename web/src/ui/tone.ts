/** What a colour may say. */
export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger'
