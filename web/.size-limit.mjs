// What a browser loads before it shows the first page behind sign-in, a project's home, and everything there is. The first list
// follows the static imports of the entry, of the frame and of that page in Vite's manifest.
import { readFileSync } from 'node:fs'

const dist = '../internal/webapp/dist/'
const manifest = JSON.parse(
  readFileSync(new URL(dist + '.vite/manifest.json', import.meta.url), 'utf8'),
)
const initial = new Set()
function add(key) {
  const chunk = manifest[key]
  if (initial.has(chunk.file)) return
  initial.add(chunk.file)
  for (const css of chunk.css ?? []) initial.add(css)
  for (const next of chunk.imports ?? []) add(next)
}
add('index.html')
for (const route of ['_app.tsx', '_app/project/$projectId/index.tsx']) {
  const key = Object.keys(manifest).find((each) => each.startsWith(`src/routes/${route}?`))
  if (key === undefined) throw new Error(`the build has no chunk of ${route}`)
  add(key)
}

// The build is packed already: what is measured is what is sent.
const packed = { gzip: false, brotli: false }

export default [
  {
    name: 'initial JS and CSS, gzip',
    path: [...initial].map((file) => `${dist}${file}.gz`),
    limit: '250 kB',
    ...packed,
  },
  { name: 'all JS and CSS, gzip', path: dist + 'assets/*.{js,css}.gz', limit: '1.2 MB', ...packed },
]
