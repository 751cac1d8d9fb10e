/**
 * Moves focus to the page if nothing has it: the focused element may be gone, like a row that was deleted, and the
 * keyboard needs a place to go on from. Waits until others, such as closing dialogs, have set the focus.
 */
export function keepFocus(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        document.querySelector('main')?.focus({ preventScroll: true })
    }),
  )
}
