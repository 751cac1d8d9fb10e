// What a browser loads before it shows anything, and everything there is. The first list follows the static imports of
// the entry in Vite's manifest.
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
