// The files that a browser loads before it shows a project's home, the first page after sign-in: those reached by the
// static imports of the entry, the shell and that page in Vite's manifest.
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
  for (const route of ['_app.tsx', '_app/project/$projectId/index.tsx']) {
    const key = Object.keys(manifest).find((each) => each.startsWith(`src/routes/${route}?`))
    if (key === undefined) throw new Error(`the build has no chunk of ${route}`)
    add(key)
  }
  return [...files]
}

function readManifest() {
  return JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))
}
