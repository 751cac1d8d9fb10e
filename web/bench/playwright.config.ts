import { defineConfig } from '@playwright/test'
import e2e from '../e2e/playwright.config'

/** Alone on the machine as far as possible: one measurement after another, without retries. */
export default defineConfig(e2e, {
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../.bench',
  workers: 1,
  timeout: 900_000,
  reporter: [['./reporter.ts']],
  use: {
    screenshot: 'off',
    // Full Chromium, as people use it, rather than the headless shell.
    launchOptions: {
      executablePath: process.env['ALMANAC_CHROMIUM'] ?? '/usr/bin/chromium',
      args: e2e.use?.launchOptions?.args,
    },
  },
})
