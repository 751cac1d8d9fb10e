/** The maximum height of a list among other things before it scrolls, in pixels. */
export const listHeight = 560
