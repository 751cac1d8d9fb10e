// The first load, and everything there is.
import { initialFiles } from './scripts/initial.mjs'

const dist = '../internal/webapp/dist/'

// The build is packed already: what is measured is what is sent.
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
