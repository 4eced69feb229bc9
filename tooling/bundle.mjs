// Joins the compiled service and the packages it loads at its start into a few files. Reading and linking more than two thousand
// files takes longer than anything else that happens before the service answers.
import { rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ENTRY = join(ROOT, 'server/dist/start/run.js')
const FOLDER = join(ROOT, 'server/dist/bundle')

// Packages with compiled parts or threads of their own, and those that few services ever load.
const APART =
  /^(@aws-sdk|@electric-sql|@huggingface|@lat\.md|@modelcontextprotocol|@napi-rs|bullmq|ioredis|node-av|onnxruntime|pg-native|pino|sharp|swagger-ui|tsx)/

// Each module finds its files where it was before.
const keepPlaces = {
  name: 'keep-places',
  transform: {
    filter: { code: /import\.meta\.url/ },
    handler(code, id) {
      const place = JSON.stringify(relative(FOLDER, id))
      return { code: code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`), map: null }
    },
  },
}

rmSync(FOLDER, { recursive: true, force: true })
const bundle = await rolldown({ input: { run: ENTRY }, platform: 'node', external: APART, plugins: [keepPlaces] })
await bundle.write({ dir: FOLDER, format: 'esm' })
await bundle.close()
