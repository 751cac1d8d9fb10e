import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { toastQueue } from '@/ui/toast'

// What is waited for comes at once, unless the machine is busy: patience costs nothing when nothing fails.
configure({ asyncUtilTimeout: 5_000 })

afterEach(() => {
  cleanup()
  toastQueue.clear()
  localStorage.clear()
  vi.unstubAllGlobals()
})
