/** How to get at the rest of a text that is only the beginning of what is stored. */
export type Rest = {
  /** Loads the rest to show it. */
  onLoad?: () => void
  isLoading?: boolean
  /** Loads the whole text to copy it. */
  loadWhole?: () => Promise<string>
}
