import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components'

export type ToastContent = {
  tone: 'success' | 'danger' | 'neutral'
  title: string
  description?: string
  /** A button in the toast, which closes it. */
  action?: { label: string; onAction: () => void }
}

/** What the Toasts region shows. Only toast() adds to it. */
export const toastQueue = new ToastQueue<ToastContent>({ maxVisibleToasts: 4 })

const shownFor = 6000

/**
 * Shows a message about something that was done. Errors stay until they are closed; errors of a form belong in the
 * form.
 */
export function toast(title: string, options: Partial<Omit<ToastContent, 'title'>> = {}): void {
  const tone = options.tone ?? 'success'
  toastQueue.add(
    { ...options, tone, title },
    // What can be done from a toast must not go before it is reached.
    tone === 'danger' || options.action ? undefined : { timeout: shownFor },
  )
}
