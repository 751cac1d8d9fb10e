import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
// The frame of the page loads these when the browser is idle. An import that is in progress when a file of tests ends is
// never completed for the next one.
import '@/app/HelpDialog'
import '@/app/KeyboardHelp'
import '@/app/Palette'
import { endSessionState } from '@/shared/lib/sessionState'
import { toastQueue } from '@/shared/ui/toast'

// Things appear immediately unless the machine is busy: a long timeout costs nothing when nothing fails.
configure({ asyncUtilTimeout: 5_000 })

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals() // first: a test may have replaced the storage that is cleared here
  toastQueue.clear()
  localStorage.clear()
  sessionStorage.clear()
  endSessionState()
  // React Aria keeps what it told screen readers for some seconds, outside of what is unmounted.
  for (const spoken of document.querySelectorAll('[data-live-announcer] [role=log] > *'))
    spoken.remove()
})
