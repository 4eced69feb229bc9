// npm start: builds what is stale, then runs the service in this process.
import { build } from './build.mjs'

await build()
await import('../server/dist/main.js')
