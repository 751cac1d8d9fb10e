import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { announcedPages, chunkGroups, splitBehavior } from './chunks'

// The URL of a running Almanac server, to which the development server proxies /api.
const server = process.env.ALMANAC_DEV_SERVER ?? 'http://127.0.0.1:3000'

// The application is in English only: React Aria's messages in thirty other languages are left out.
const otherLanguages =
  /react-(?:aria|stately|aria-components)\/.*\/intl\/.*\/(?!en-US)[a-z]{2}-[A-Z]{2}\.m?js$/

function onlyEnglish(): Plugin {
  return {
    name: 'only-english',
    load: (id) => (otherLanguages.test(id) ? 'export default {}' : undefined),
  }
}

export default defineConfig(({ command }) => ({
  // One build is served below any base path: asset URLs are relative, and the server writes its base path into
  // index.html.
  base: command === 'build' ? './' : '/',
  html: { cspNonce: command === 'build' ? 'ALMANAC_NONCE' : undefined },
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      generatedRouteTree: './src/routeTree.gen.ts',
      codeSplittingOptions: { splitBehavior },
    }),
    onlyEnglish(),
    react(),
    tailwindcss(),
    announcedPages(),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  define: {
    __GALLERY__: JSON.stringify(command === 'serve' || process.env.ALMANAC_GALLERY === '1'),
  },
  server: {
    fs: { allow: ['.', '../docs'] },
    proxy: { '/api': { target: server, changeOrigin: false, ws: false } },
  },
  build: {
    outDir: '../internal/webapp/dist',
    emptyOutDir: false, // the placeholder stays; scripts/clean.mjs removes the rest
    manifest: true,
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0, // nothing inline: the Content-Security-Policy does not allow it
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
  test: {
    cache: false, // the order of files is the same on every machine, and does not depend on how long they took before
    restoreMocks: true,
    testTimeout: 60_000, // a whole page is loaded and clicked through, perhaps on a busy machine
    projects: [
      {
        // Pure functions need no DOM, which takes longer to create than they take to test, and leave nothing behind.
        // Tests that need one are named .test.tsx.
        extends: true,
        test: {
          name: 'logic',
          environment: 'node',
          isolate: false,
          include: ['src/**/*.test.ts', 'bench/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          // The application is imported once, not for each file: setup.ts cleans up after each test, and no test mocks
          // our modules.
          name: 'pages',
          environment: 'happy-dom',
          isolate: false,
          include: ['src/**/*.test.tsx'],
          setupFiles: ['./src/test/setup.ts'],
        },
      },
    ],
  },
}))
