import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

// The address of a running Almanac that the development server passes /api on to.
const server = process.env.ALMANAC_DEV_SERVER ?? 'http://127.0.0.1:3000'

// The application speaks English: what React Aria says in thirty other languages is left out.
const otherLanguages =
  /react-(?:aria|stately|aria-components)\/.*\/intl\/.*\/(?!en-US)[a-z]{2}-[A-Z]{2}\.m?js$/

function onlyEnglish(): Plugin {
  return {
    name: 'only-english',
    load: (id) => (otherLanguages.test(id) ? 'export default {}' : undefined),
  }
}

export default defineConfig(({ command }) => ({
  // The program is built once and served below any base path: addresses of assets are relative, and the server
  // writes its base path into index.html.
  base: command === 'build' ? './' : '/',
  html: { cspNonce: command === 'build' ? 'ALMANAC_NONCE' : undefined },
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      generatedRouteTree: './src/routeTree.gen.ts',
    }),
    onlyEnglish(),
    react(),
    tailwindcss(),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  define: {
    __GALLERY__: JSON.stringify(command === 'serve' || process.env.ALMANAC_GALLERY === '1'),
  },
  server: {
    proxy: { '/api': { target: server, changeOrigin: false, ws: false } },
  },
  build: {
    outDir: '../internal/webapp/dist',
    emptyOutDir: false, // the placeholder stays; scripts/clean.mjs removes the rest
    manifest: true,
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0, // nothing inline: the Content-Security-Policy has no place for it
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
  },
  test: {
    restoreMocks: true,
    testTimeout: 20_000, // a whole page is loaded and clicked through, perhaps on a busy machine
    projects: [
      {
        // Pure functions need no browser, which takes longer to make than they take to test, and leave nothing
        // behind. What needs one is named .test.tsx.
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
          // The application is imported once, not for each file: setup.ts takes away what a test leaves, and no test
          // puts another module in the place of ours.
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
