/** How large a step is drawn, in pixels. */
export const nodeWidth = 190
export const nodeHeight = 46
