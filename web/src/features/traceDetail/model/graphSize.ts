/** The size of a step in pixels. */
export const nodeWidth = 190
export const nodeHeight = 46
