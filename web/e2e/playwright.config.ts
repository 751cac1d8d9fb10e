import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

/**
 * Debian's headless Chromium, which test/tools installs: it takes half the time of the full one. ALMANAC_CHROMIUM
 * selects another.
 */
const executablePath = process.env['ALMANAC_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell'

export default defineConfig({
  testDir: '.',
  testIgnore: '**/e2e/browsers/**', // for other browsers, with their own configuration
  outputDir: '../.e2e',
  forbidOnly: true,
  workers: 2,
  fullyParallel: false,
  timeout: 60_000,
  expect: {
    timeout: 15_000,
    // Differences that eyes do not see, such as those of anti-aliasing, do not count.
    toMatchSnapshot: { threshold: 0.1, maxDiffPixels: 30 },
  },
  snapshotPathTemplate: '{testDir}/accepted/{arg}{ext}',
  updateSnapshots: 'none', // `npm run accept` does
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath,
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
      env: { ...process.env, FONTCONFIG_FILE: join(import.meta.dirname, 'fonts.conf') },
    },
    locale: 'en-GB',
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1440, height: 900 },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
