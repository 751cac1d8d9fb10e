/** The width of the column of checkboxes. */
export const selectWidth = 36

/** The width of the column of buttons that expand rows. */
export const expandWidth = 36
