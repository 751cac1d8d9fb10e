// What a browser loads before it shows the first page behind sign-in, a project's home: the files behind the static imports of
// the entry, of the frame and of that page in Vite's manifest.
import { readFileSync } from 'node:fs'

/** Where the build is. */
export const dist = new URL('../../internal/webapp/dist/', import.meta.url)

/** The files of the first load, relative to dist, as they were before they were packed. */
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
