/** The maximum height of a list on a settings page before it scrolls, in pixels. */
export const tableHeight = 560
