const failed = 'Unable to preload'

/**
 * Makes code that did not arrive an error of the page that needs it. The router would load the whole document again
 * by itself, which replaces the application with the browser's error page while the server is away.
 */
export function keepPageWithoutCode(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    if (!payload.message.startsWith(failed)) payload.message = `${failed} code: ${payload.message}`
  })
}

/** Loads the document again if the server answers, and reports whether it does. */
export async function reloadIfReachable(): Promise<boolean> {
  try {
    await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' })
  } catch {
    return false
  }
  window.location.reload()
  return true
}
