// Generates the sources that nobody writes by hand: the types of the two APIs and the route tree.
import { Generator, getConfig } from '@tanstack/router-generator'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'

const root = new URL('..', import.meta.url)
const out = new URL('src/shared/api/generated/', root)
await mkdir(out, { recursive: true })

async function types(description, name) {
  const file = new URL(name, out)
  const text =
    `// Made by scripts/generate.mjs from api/${description.split('/').pop()}.\n` +
    astToString(await openapiTS(new URL(description, root)))
  const before = await readFile(file, 'utf8').catch(() => '')
  if (before !== text) await writeFile(file, text) // do not wake watchers for an unchanged file
}

await types('../api/openapi.yaml', 'public.d.ts')
await types('../api/ui.yaml', 'ui.d.ts')

const config = getConfig(
  { target: 'react', autoCodeSplitting: true, generatedRouteTree: './src/routeTree.gen.ts' },
  root.pathname,
)
await new Generator({ config, root: root.pathname }).run()
