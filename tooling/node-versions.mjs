// Other versions of Node, for the tests of the start. They come from the package registry, which has a package with the
// Node executable for each system. As a command: fetches those that are missing.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const KEPT = fileURLToPath(new URL('../node_modules/.cache/rookery-node', import.meta.url))

/** The service must start on these: the oldest supported version, and the maintained ones. */
export const SUPPORTED_NODES = ['20.19.0', '22', '24']
/** The service must refuse to start on this one. */
export const OLD_NODE = '14.21.3'

/** The executable of this version, if it was fetched. */
export function findNode(version) {
  const file = join(KEPT, version, 'node')
  return existsSync(file) ? file : undefined
}

/** Whether all of them are here. */
export function hasNodes() {
  return [...SUPPORTED_NODES, OLD_NODE].every(findNode)
}

async function fetchNode(version) {
  mkdirSync(KEPT, { recursive: true })
  const folder = mkdtempSync(join(KEPT, 'fetching-'))
  try {
    const name = `node-${process.platform}-${process.arch}@${version}`
    await run('npm', ['pack', name, '--silent', '--pack-destination', folder])
    const [archive = ''] = readdirSync(folder)
    await run('tar', ['-xzf', join(folder, archive), '-C', folder, '--strip-components=2', 'package/bin/node'])
    rmSync(join(folder, archive))
    renameSync(folder, join(KEPT, version))
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    console.error(`Node ${version} could not be fetched: ${error.message}`)
  }
}

function run(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error(`${program} ended with ${code}`))))
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await Promise.all([...SUPPORTED_NODES, OLD_NODE].filter((version) => !findNode(version)).map(fetchNode))
