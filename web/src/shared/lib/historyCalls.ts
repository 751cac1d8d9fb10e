/** Safari throws after 100 calls within 10 s, Firefox after 200. Some are left for pages that are opened meanwhile. */
const maxCalls = 50
const within = 10_000

type Call = Parameters<History['replaceState']>

let pending: Call | undefined

/** The state of the current history entry, even if it is not written yet. */
export function entryState(): unknown {
  return pending ? pending[0] : history.state
}

/**
 * Limits how often the history is written: a user who holds a key changes the URL with every repetition. Beyond the
 * limit, the last of the replacements is written as soon as the browser allows it. Must be called before the router
 * is created, which then writes through it.
 */
export function limitHistoryCalls(target: History = history): void {
  const push = target.pushState.bind(target)
  const replace = target.replaceState.bind(target)
  const times: number[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const made = () => {
    times.push(Date.now())
    if (times.length > maxCalls) times.shift()
  }
  const wait = () => {
    const first = times.length < maxCalls ? 0 : (times[0] ?? 0)
    return Math.max(0, first + within - Date.now())
  }
  const write = () => {
    timer = undefined
    if (!pending) return
    const delay = wait()
    if (delay > 0) {
      timer = setTimeout(write, delay)
      return
    }
    try {
      made()
      replace(...pending)
      pending = undefined
    } catch {
      timer = setTimeout(write, within) // the browser has another limit
    }
  }
  const drop = () => {
    clearTimeout(timer)
    timer = undefined
    pending = undefined
  }
  target.replaceState = (...call: Call) => {
    pending = call
    if (timer === undefined) write()
  }
  target.pushState = (...call: Call) => {
    // The entry that is left gets its last state, if the browser allows it.
    try {
      if (pending) replace(...pending)
    } catch {
      // It keeps the state that it had.
    }
    drop()
    made()
    push(...call)
  }
  // What was to be written belonged to the entry that the user has left.
  addEventListener('popstate', drop)
  addEventListener('pagehide', () => {
    try {
      if (pending) replace(...pending)
    } catch {
      // The page opens with the state that it had.
    }
  })
}
