// Builds what is stale: TypeScript by its own bookkeeping, the page by comparing file times, the database that new data
// folders begin with by what it was made from.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js')

/** Builds the service and its page. With `everything`, tests and tools too, which also checks their types. */
export async function build({ everything = false } = {}) {
  await succeed(run(TSC, ['-b', ...(everything ? [] : ['server', 'cli'])]))
  const { isImageCurrent } = await import('../server/dist/db/image.js')
  // Neither needs the other, and each leaves a core to it.
  await succeed(
    isImageCurrent() ? 0 : run(join(ROOT, 'scripts/make-image.mjs'), []),
    isPageStale() ? run(VITE, ['build', '--logLevel', 'warn'], join(ROOT, 'web')) : 0,
  )
}

/** Ends the process when one of them ended with anything but 0, after all have ended. */
async function succeed(...runs) {
  const failed = (await Promise.all(runs)).find((status) => status !== 0)
  if (failed !== undefined) process.exit(failed ?? 1)
}

function run(program, args, cwd = ROOT) {
  const child = spawn(process.execPath, [program, ...args], { cwd, stdio: 'inherit' })
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await build({ everything: process.argv.includes('--everything') })
