import type { ReactNode } from 'react'

/** The buttons at the bottom of a dialog or a form: the primary action comes last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center justify-end gap-2 pt-4">{children}</div>
}
