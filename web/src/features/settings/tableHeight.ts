/** How high a list on a page of settings grows before it scrolls by itself. */
export const tableHeight = 560
