/** The width of the column of checkboxes. */
export const selectWidth = 36
