import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components'

export type ToastContent = {
  tone: 'success' | 'danger' | 'neutral'
  title: string
  description?: string
}

/** What the Toasts region shows. Only toast() adds to it. */
export const toastQueue = new ToastQueue<ToastContent>({ maxVisibleToasts: 4 })

const shownFor = 6000

/**
 * Shows a message about something that was done. Errors stay until they are closed; errors of a form belong in the
 * form.
 */
export function toast(
  title: string,
  options: { tone?: ToastContent['tone']; description?: string } = {},
): void {
  const tone = options.tone ?? 'success'
  toastQueue.add(
    { tone, title, description: options.description },
    tone === 'danger' ? undefined : { timeout: shownFor },
  )
}
