// Builds what is stale: TypeScript decides by its own build info, the page by file times, the image that new data folders
// start from by its inputs. Prints each step, because the first build takes a while.
import './check-install.mjs'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js')
// Checking that nothing has to be compiled takes less than this.
const SILENT_FOR_MS = 2000

/** Builds the service and its page. With `everything`, tests and tools too, which also checks their types. */
export async function build({ everything = false } = {}) {
  const isFirst = !existsSync(join(ROOT, 'server/dist/main.js'))
  const compiling = run(TSC, ['-b', ...(everything ? [] : ['server', 'cli'])])
  await succeed(report('Compiling the service', compiling, isFirst ? 0 : SILENT_FOR_MS))
  const { isImageCurrent } = await import('../server/dist/foundation/db/image.js')
  const { findBundle } = await import('../server/dist/start/bundle.js')
  // They are independent, and each leaves a core to the others.
  await succeed(
    isImageCurrent() ? 0 : report('Making the database that new data folders begin with', makeImage()),
    isPageStale() ? report('Building the page', buildPage()) : 0,
    findBundle() ? 0 : report('Joining the service into a few files', makeBundle()),
  )
}

const makeImage = () => run(join(ROOT, 'tooling/make-image.mjs'), [])
const makeBundle = () => run(join(ROOT, 'tooling/bundle.mjs'), [])
const buildPage = () => run(VITE, ['build', '--logLevel', 'warn'], join(ROOT, 'web'))

/** Reports a step that takes longer than `silentForMs`, and its result. */
async function report(name, running, silentForMs = 0) {
  const startedAt = Date.now()
  let isReported = false
  const announce = () => {
    isReported = true
    console.error(`${name} …`)
  }
  const timer = silentForMs === 0 ? announce() : setTimeout(announce, silentForMs)
  const status = await running
  clearTimeout(timer)
  if (status !== 0) console.error(`${name} failed; see above for the reason.`)
  else if (isReported) console.error(`${name}: done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`)
  return status
}

/** Waits for all of them, and exits the process if any failed. */
async function succeed(...runs) {
  if ((await Promise.all(runs)).some((status) => status !== 0)) process.exit(1)
}

// Sends their output to stderr: stdout belongs to the command that runs after the build.
function run(program, args, cwd = ROOT) {
  const child = spawn(process.execPath, [program, ...args], { cwd, stdio: ['ignore', 2, 2] })
  return new Promise((resolve) => child.once('exit', resolve))
}

function isPageStale() {
  const built = join(ROOT, 'web/dist/index.html')
  if (!existsSync(built)) return true
  const sources = [
    'web/src',
    'web/public',
    'web/index.html',
    'web/vite.config.ts',
    'api/src',
    'sdk/src',
    'contracts/ts',
  ]
  return Math.max(...sources.map((path) => newest(join(ROOT, path)))) > statSync(built).mtimeMs
}

function newest(path) {
  if (!existsSync(path)) return 0
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
}

if (import.meta.url === pathToFileURL(process.argv[1] || '').href)
  build({ everything: process.argv.includes('--everything') })
