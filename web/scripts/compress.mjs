// Compresses every text file of the build with Brotli and gzip, so that the server never has to, and removes the
// originals: the binary embeds each file only in its two compressed forms.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const assets = new URL('../../internal/webapp/dist/assets/', import.meta.url)
for (const name of await readdir(assets)) {
  if (!/\.(js|css|svg|json|txt)$/.test(name)) continue
  const file = new URL(name, assets)
  const plain = await readFile(file)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  }
  await writeFile(new URL(name + '.br', assets), brotliCompressSync(plain, { params }))
  await writeFile(new URL(name + '.gz', assets), gzipSync(plain, { level: 9 }))
  await rm(file)
}
