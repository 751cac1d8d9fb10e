import { defineConfig } from '@playwright/test'

/** Debian's Chromium, which test/tools installs; ALMANAC_CHROMIUM names another one. */
const executablePath = process.env['ALMANAC_CHROMIUM'] ?? '/usr/bin/chromium'

export default defineConfig({
  testDir: '.',
  outputDir: '../.e2e',
  forbidOnly: true,
  workers: 2,
  fullyParallel: false,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] },
    locale: 'en-GB',
    timezoneId: 'UTC',
    viewport: { width: 1440, height: 900 },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
