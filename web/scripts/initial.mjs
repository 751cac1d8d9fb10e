// The files that a browser loads before it shows anything: those reached by the static imports of the entry in Vite's
// manifest. The frame and a project's home, the first page after sign-in, are among them (chunks.ts).
import { readFileSync } from 'node:fs'

/** The build folder. */
export const dist = new URL('../../internal/webapp/dist/', import.meta.url)

/** The files of the initial load, relative to dist, by their names before compression. */
export function initialFiles(manifest = readManifest()) {
  const files = new Set()
  const add = (key) => {
    const chunk = manifest[key]
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const css of chunk.css ?? []) files.add(css)
    for (const next of chunk.imports ?? []) add(next)
  }
  add('index.html')
  return [...files]
}

function readManifest() {
  return JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))
}
