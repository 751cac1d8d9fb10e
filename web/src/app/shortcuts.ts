import type { NavigationItem } from './navigation'

type Shortcuts = { title: string; keys: readonly { keys: string; does: string }[] }

/** The keyboard map that ? shows. Tables and pages handle their own keys; all of them are listed here. */
const shortcuts: readonly Shortcuts[] = [
  {
    title: 'Everywhere',
    keys: [
      { keys: 'Mod K', does: 'Search and go anywhere' },
      { keys: '?', does: 'Show this list' },
      { keys: 'Esc', does: 'Close the open dialog or panel' },
      { keys: '/', does: 'Focus the search field' },
    ],
  },
  {
    title: 'Tables',
    keys: [
      { keys: 'J', does: 'Next row' },
      { keys: 'K', does: 'Previous row' },
      { keys: 'Enter', does: 'Open the row' },
      { keys: 'X', does: 'Select the row' },
      { keys: 'F', does: 'Filter by a value of the row' },
      { keys: 'Shift J', does: 'Extend the selection' },
      { keys: 'Mod A', does: 'Select all rows' },
      { keys: 'Esc', does: 'Clear the selection, close the panel' },
    ],
  },
  {
    title: 'Traces',
    keys: [
      { keys: 'J', does: 'Next observation' },
      { keys: 'K', does: 'Previous observation' },
      { keys: '[', does: 'Collapse, or go to the parent' },
      { keys: ']', does: 'Expand, or go to the first child' },
      { keys: '1 … 9', does: 'Expand to this level' },
      { keys: '0', does: 'Expand all' },
      { keys: 'E', does: 'Next error' },
      { keys: 'L', does: 'Critical path, and the slowest observation on it' },
      { keys: '+ -', does: 'Zoom the timeline' },
      { keys: '\\', does: 'Reset zoom' },
      { keys: 'Mod F', does: 'Find in the trace' },
      { keys: 'Shift J', does: 'Next trace of the list it was opened from' },
      { keys: 'Shift K', does: 'Previous trace of that list' },
      { keys: 'S', does: 'Score beside the text' },
    ],
  },
  {
    title: 'Scoring',
    keys: [
      { keys: '1 … 9', does: 'Give this value; numbers are typed' },
      { keys: 'Tab', does: 'Next value or score config' },
      { keys: '↓ ↑', does: 'Next or previous score config' },
      { keys: 'N', does: 'Next trace of the list' },
      { keys: 'P', does: 'Previous trace of the list' },
      { keys: 'J', does: 'Next observation' },
      { keys: 'C', does: 'Comment on the score' },
      { keys: 'U', does: 'Undo the last score' },
    ],
  },
  {
    title: 'Reviewing',
    keys: [
      { keys: '1 … 9', does: 'Choose this value; numbers are typed' },
      { keys: '↓ ↑', does: 'Next or previous question' },
      { keys: 'C', does: 'Comment on the item' },
      { keys: 'Mod Enter', does: 'Complete the item; Enter does, too, unless you type' },
      { keys: 'S', does: 'Skip the item' },
      { keys: 'U', does: 'Back to the item before, and take it back' },
    ],
  },
  {
    title: 'Prompts',
    keys: [
      { keys: 'J', does: 'The version before' },
      { keys: 'K', does: 'The version after' },
    ],
  },
]

/** The keyboard map for a user who may see these pages. */
export function shortcutsFor(pages: readonly NavigationItem[]): Shortcuts[] {
  const keys = pages.map(({ label, shortcut }) => ({
    keys: `G ${shortcut.toUpperCase()}`,
    does: label,
  }))
  return [...shortcuts, ...(keys.length > 0 ? [{ title: 'Go to', keys }] : [])]
}
