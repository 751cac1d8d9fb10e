/** The style shared by inputs. */
export const inputClass =
  'h-8 w-full min-w-0 rounded-md border border-control bg-surface-0 px-2.5 text-base text-text-1 outline-offset-0 ' +
  'hover:border-text-3 data-invalid:border-danger data-disabled:bg-surface-1 data-disabled:opacity-60'

export const popoverClass =
  'z-overlay min-w-(--trigger-width) overflow-auto rounded-md bg-surface-0 p-1 shadow-pop outline-none'

export const itemClass =
  'flex min-h-7 cursor-default items-center gap-2 rounded-sm px-2 py-1 text-base text-text-1 outline-none ' +
  'data-focused:bg-surface-2 data-hovered:bg-surface-2 data-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0'
