import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
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
})
