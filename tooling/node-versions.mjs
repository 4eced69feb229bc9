// Other versions of Node, for the tests of the start. They come from where packages come from: for each system the registry
// has a package with Node's program. As a command: fetches those that are missing.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const KEPT = fileURLToPath(new URL('../node_modules/.cache/rookery-node', import.meta.url))

/** On which the service has to start: the oldest that it supports, and those that are maintained. */
export const SUPPORTED_NODES = ['20.19.0', '22', '24']
/** On which it has to say that it cannot. */
export const OLD_NODE = '14.21.3'

/** The program of this version, if it was fetched. */
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
