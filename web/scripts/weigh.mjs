// Lists what the initial load is made of: the share of each package, and of each of our folders, before minification.
import { build } from 'vite'
import { initialFiles } from './initial.mjs'

const { output } = await build({ logLevel: 'error', build: { write: false } })
const manifest = output.find((each) => each.fileName === '.vite/manifest.json')
const initial = new Set(initialFiles(JSON.parse(String(manifest.source))))
const weights = new Map()
let total = 0
for (const chunk of output) {
  if (chunk.type !== 'chunk' || !initial.has(chunk.fileName)) continue
  for (const [id, { renderedLength }] of Object.entries(chunk.modules)) {
    const [, ours] = /\/src\/([^?]+)/.exec(id) ?? []
    const [, theirs] =
      /.*node_modules\/((?:@[^/]+\/)?[^/]+(?:\/dist\/private\/[^/]+)?)/.exec(id) ?? []
    const name = theirs ?? (ours ? `src/${ours.split('/').slice(0, 2).join('/')}` : 'other')
    weights.set(name, (weights.get(name) ?? 0) + renderedLength)
    total += renderedLength
  }
}
for (const [name, weight] of [...weights].sort(([, a], [, b]) => b - a)) {
  const share = ((100 * weight) / total).toFixed(1)
  process.stdout.write(
    `${(weight / 1000).toFixed(1).padStart(8)} kB ${share.padStart(5)} %  ${name}\n`,
  )
}
process.stdout.write(`${(total / 1000).toFixed(1).padStart(8)} kB in all\n`)
