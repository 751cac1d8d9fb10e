/**
 * Gives the focus to the page if nothing has it: what had it may be gone, like a row that was deleted, and keys have to go on
 * from somewhere. Waits until others, like dialogs that close, have put it where they want it.
 */
export function keepFocus(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        document.querySelector('main')?.focus({ preventScroll: true })
    }),
  )
}
