import { defineConfig } from '@playwright/test'
import type { Options } from './test'

/** Debian's Firefox and WebKitGTK, which test/tools installs. Playwright runs the tests and drives neither. */
export default defineConfig<object, Options>({
  testDir: '.',
  outputDir: '../../.e2e-browsers',
  forbidOnly: true,
  workers: 2,
  fullyParallel: false,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  maxFailures: 4, // a browser that does not start fails them all, each after a while
  reporter: [['list']],
  projects: [
    { name: 'Firefox', use: { engine: 'firefox' } },
    { name: 'WebKit', use: { engine: 'webkit' } },
  ],
})
