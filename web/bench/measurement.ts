import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { Ready } from '../e2e/client'

/** What measurements work with: a browser, and a server with a project and a signed-in user. */
export type Stage = {
  browser: Browser
  server: Ready
  project: string
  /** A fresh browser context that is signed in: its cache is empty. */
  newContext: () => Promise<BrowserContext>
  /** A page of a browser context with a warm cache. */
  newPage: () => Promise<Page>
}

/** A line of the report, and its budget. */
export type Measurement = {
  name: string
  unit: 'ms' | 'kB' | 'MB' | 'frames/s' | 'tasks' | 'rows' | 'files'
  /** The limit for the 95th percentile or the median; for frames, for the smallest value. */
  budget?: { atMost: number } | { medianAtMost: number } | { atLeast: number }
  /**
   * Whether the benchmark fails if the budget is exceeded: for values that do not depend on the load of the machine.
   */
  isEnforced?: boolean
  run: (stage: Stage) => Promise<number[]>
}
