// These functions run in the page, in any browser: they cannot use anything from around them.

/** Navigates within the open application, as a link does. */
export function follow(href: string) {
  const { __TSR_index: index = 0 } = history.state as { __TSR_index?: number }
  const key = crypto.randomUUID()
  history.pushState({ key, __TSR_key: key, __TSR_index: index + 1 }, '', href)
}

/** Whether the page has loaded all its data and rendered it. */
export function isSettled(): boolean {
  const { __TSR_ROUTER__: router } = window as { __TSR_ROUTER__?: Router }
  if (!router) return false
  const { status, location, resolvedLocation } = router.state
  return (
    status === 'idle' &&
    location.state.key === (history.state as { key?: string }).key &&
    resolvedLocation?.href === location.href &&
    router.options.context.queryClient.isFetching() === 0 &&
    document.querySelector('[aria-busy=true], .animate-pulse') === null
  )
}

/** The state of the application's router. */
type Router = {
  state: {
    status: 'pending' | 'idle'
    location: { href: string; state: { key?: string } }
    resolvedLocation?: { href: string }
  }
  options: { context: { queryClient: { isFetching: () => number } } }
}
