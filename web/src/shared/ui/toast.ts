import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components'
import { onSessionEnd } from '@/shared/lib/sessionState'

export type ToastContent = {
  tone: 'success' | 'danger' | 'neutral'
  title: string
  description?: string
  /** A file to download. */
  link?: { label: string; href: string; fileName: string }
  /** How far something is; the toast stays until it is closed. */
  progress?: Progress
  /** A button in the toast, which closes it. */
  action?: { label: string; onAction: () => void }
}

/** How far something is that goes on while people look at other pages. */
export type Progress = {
  get: () => ProgressState
  set: (next: ProgressState) => void
  subscribe: (onChange: () => void) => () => void
}

type ProgressState = { text: string; percent: number | undefined }

export function createProgress(state: ProgressState): Progress {
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set: (next) => {
      state = next
      for (const listener of listeners) listener()
    },
    subscribe: (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
  }
}

/** What the Toasts region shows. Only toast() adds to it. */
export const toastQueue = new ToastQueue<ToastContent>({ maxVisibleToasts: 4 })

const shownFor = 6000

// What was done with one account, and what can be done about it, is not for the next one in this tab.
onSessionEnd(() => toastQueue.clear())

/**
 * Shows a message about something that was done. Errors stay until they are closed; errors of a form belong in the
 * form.
 */
export function toast(title: string, options: ToastOptions = {}): void {
  openToast(title, options)
}

/** Shows a message like toast(), and returns a function that closes it. */
export function openToast(title: string, options: ToastOptions): () => void {
  const tone = options.tone ?? 'success'
  // What can be done from a toast, and what goes on in it, must not go before it is reached.
  const stays = tone === 'danger' || options.action || options.link || options.progress
  const key = toastQueue.add({ ...options, tone, title }, stays ? undefined : { timeout: shownFor })
  return () => toastQueue.close(key)
}

type ToastOptions = Partial<Omit<ToastContent, 'title'>>
