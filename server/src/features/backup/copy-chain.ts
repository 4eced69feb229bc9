import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Manifest as ChainManifest, journalFile, stateFile } from '@rookery/embedded-chain/manifest'
import { BackupError } from './backup-error.js'
import { copyFile, forEachInParallel, ifExists, listFolder, makeFolders, totalSize, type Watch } from './files.js'
import type { Progress } from './progress.js'

const MANIFEST = 'chain.json'
const BLOCKS = /^blocks-(\d+)\.gz$/
const ATTEMPTS = 20

/**
 * Copies the embedded chain, which may continue meanwhile. Block files never change, and the journal only grows: a line
 * that is cut off at its end was not acknowledged when it was read. A compaction starts a new generation of the other
 * files and removes the old one, so a copy is consistent when the generation is the same before and after.
 */
export async function copyChain(from: string, to: string, watch: Watch, progress: Progress): Promise<void> {
  const { files } = await listFolder(from, isLeftOut)
  progress.begin('Copying the chain', totalSize(files))
  await makeFolders(to, [])
  const blocks = new Set<string>()
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    watch.signal.throwIfAborted()
    // Read before the journal, which may be longer than the manifest says but never shorter.
    const text = await readManifest(from)
    const { generation, base } = JSON.parse(text) as ChainManifest
    const missing = (await listBlocks(from, base?.number ?? -1)).filter((name) => !blocks.has(name))
    await forEachInParallel(missing, watch.signal, async (name) => {
      await copyFile(join(from, name), join(to, name), watch)
      blocks.add(name)
    })
    const parts = [journalFile('', generation), ...(base ? [stateFile('', generation), 'index'] : [])]
    const gone = await copyParts(from, to, parts, watch)
    const isSame = (JSON.parse(await readManifest(from)) as ChainManifest).generation === generation
    if (isSame && gone === undefined) return writeFile(join(to, MANIFEST), text)
    if (isSame) throw new BackupError(`The chain in ${from} is damaged: ${gone} is missing.`)
    for (const name of parts) await rm(join(to, name), { force: true })
  }
  throw new BackupError(`The chain in ${from} changes faster than it can be copied. Try again when less is traded.`)
}

/** Returns the name of the first missing file, if any. */
async function copyParts(
  from: string,
  to: string,
  names: readonly string[],
  watch: Watch,
): Promise<string | undefined> {
  for (const name of names) if (!(await ifExists(copyFile(join(from, name), join(to, name), watch)))) return name
  return undefined
}

async function readManifest(folder: string): Promise<string> {
  const text = await ifExists(readFile(join(folder, MANIFEST), 'utf8'))
  if (text === undefined) throw new BackupError(`The chain in ${folder} is damaged: it has no ${MANIFEST}.`)
  return text
}

async function listBlocks(folder: string, last: number): Promise<string[]> {
  const { files } = await listFolder(folder, isLeftOut)
  return files.map(({ path }) => path).filter((name) => Number(BLOCKS.exec(name)?.[1] ?? Number.NaN) <= last)
}

// The EVM's cache, and unfinished files.
function isLeftOut(path: string): boolean {
  return path === 'cache' || path.endsWith('.new')
}
