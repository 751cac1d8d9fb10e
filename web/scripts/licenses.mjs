// Writes the licences of everything that the build contains, as those licences require. The lock file marks the
// packages that are not part of it.
import { readdir, readFile, writeFile } from 'node:fs/promises'

const root = new URL('..', import.meta.url)
const lock = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8'))
const parts = []
for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === '' || entry.dev || entry.optional || entry.peer) continue
  const folder = new URL(path + '/', root)
  const names = await readdir(folder).catch(() => [])
  const name = names.find((each) => /^licen[cs]e/i.test(each))
  const text = name
    ? await readFile(new URL(name, folder), 'utf8')
    : `Licence: ${entry.license ?? 'not stated'}\n`
  parts.push(`${path.replace(/^.*node_modules\//, '')} ${entry.version}\n\n${text.trim()}\n`)
}
await writeFile(
  new URL('../internal/webapp/dist/assets/licenses.txt', root),
  parts.toSorted().join(`\n${'-'.repeat(80)}\n\n`),
)
