// npm run reembed: builds what is stale, then makes the vectors of all texts anew.
import { build } from './build.mjs'

build()
await import('../server/dist/reembed.js')
