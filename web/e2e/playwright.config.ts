import { defineConfig } from '@playwright/test'

/**
 * Debian's headless Chromium, which test/tools installs: it takes half the time of the full one. ALMANAC_CHROMIUM
 * selects another.
 */
const executablePath = process.env['ALMANAC_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell'

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
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1440, height: 900 },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
