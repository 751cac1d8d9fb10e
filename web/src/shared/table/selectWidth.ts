/** The width of the checkbox column. */
export const selectWidth = 36
