import { defineConfig } from '@playwright/test'
import e2e from '../e2e/playwright.config'

/** Alone on the machine as far as we can help it: one measurement after the other, none repeated, none given up. */
export default defineConfig(e2e, {
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../.bench',
  workers: 1,
  timeout: 900_000,
  reporter: [['./reporter.ts']],
  use: {
    screenshot: 'off',
    // Chromium as people have it, with the windows that it draws around pages.
    launchOptions: {
      executablePath: process.env['ALMANAC_CHROMIUM'] ?? '/usr/bin/chromium',
      args: e2e.use?.launchOptions?.args,
    },
  },
})
