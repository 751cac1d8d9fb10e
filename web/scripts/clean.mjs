// Empties the build folder except for the placeholder under version control.
import { readdir, rm } from 'node:fs/promises'

const dist = new URL('../../internal/webapp/dist/', import.meta.url)
for (const name of await readdir(dist)) {
  if (name !== 'placeholder.html' && name !== '.gitignore')
    await rm(new URL(name, dist), { recursive: true })
}
