// Packs every text file of the build with Brotli and gzip, so that the server never has to. Node has both.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const assets = new URL('../../internal/webapp/dist/assets/', import.meta.url)
for (const name of await readdir(assets)) {
  if (!/\.(js|css|svg|json)$/.test(name)) continue
  const plain = await readFile(new URL(name, assets))
  const options = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  }
  await writeFile(new URL(name + '.br', assets), brotliCompressSync(plain, options))
  await writeFile(new URL(name + '.gz', assets), gzipSync(plain, { level: 9 }))
}
