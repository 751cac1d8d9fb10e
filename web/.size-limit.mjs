// Size limits for the initial load and for the whole build.
import { initialFiles } from './scripts/initial.mjs'

const dist = '../internal/webapp/dist/'

// The build is already compressed: the measured size is the size on the wire.
const packed = { gzip: false, brotli: false }

export default [
  {
    name: 'initial JS and CSS, gzip',
    path: initialFiles().map((file) => `${dist}${file}.gz`),
    limit: '250 kB',
    ...packed,
  },
  { name: 'all JS and CSS, gzip', path: dist + 'assets/*.{js,css}.gz', limit: '1.2 MB', ...packed },
]
