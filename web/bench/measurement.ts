import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { Ready } from '../e2e/client'

/** What measurements have at hand: a browser, and a program with a project in which somebody is signed in. */
export type Stage = {
  browser: Browser
  server: Ready
  project: string
  /** A browser that nobody has used yet but that is signed in: its cache is empty. */
  newContext: () => Promise<BrowserContext>
  /** A page of a browser whose cache has everything. */
  newPage: () => Promise<Page>
}

/** One line of the report, and what it is held against. */
export type Measurement = {
  name: string
  unit: 'ms' | 'kB' | 'MB' | 'frames/s' | 'tasks' | 'rows'
  /** What the 95th percentile may be; for frames, what the smallest must be. */
  budget?: { atMost: number } | { atLeast: number }
  /** Whether the benchmark fails when it is over: for what does not depend on how busy the machine is. */
  isEnforced?: boolean
  run: (stage: Stage) => Promise<number[]>
}
