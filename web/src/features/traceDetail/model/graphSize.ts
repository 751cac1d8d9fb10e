/** The size of a step in pixels. */
export const nodeWidth = 190
export const nodeHeight = 46

/**
 * What a graph has at most, however large the trace. Ten times as much takes dagre minutes and a gigabyte, or overflows
 * its stack, and nobody could read it.
 */
export const mostNodes = 80
export const mostEdges = 160
