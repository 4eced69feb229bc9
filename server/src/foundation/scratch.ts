import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../base/clock.js'

/** A folder for temporary files. */
export interface Scratch {
  /** Returns an unused path. The caller removes what it puts there. */
  newPath(): string
  close(): Promise<void>
}

// Distinguishes this process from an earlier one with the same pid.
const LIFE = randomUUID().slice(0, 8)
const NAME = /^(?<pid>\d+)\.(?<life>[0-9a-f]{8})\.(?<host>.+)\.[A-Za-z0-9]{6}$/
const FORGOTTEN_MS = 24 * 60 * 60_000

/** Creates a folder for this process in the data folder, and removes those of dead processes. */
export async function openScratch({ dataDir, clock }: { dataDir: string; clock: Clock }): Promise<Scratch> {
  const base = join(dataDir, 'scratch')
  await mkdir(base, { recursive: true, mode: 0o700 })
  await removeLeftBehind(base, clock)
  const folder = await mkdtemp(join(base, `${process.pid}.${LIFE}.${hostname()}.`))
  return {
    newPath: () => join(folder, randomUUID()),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

async function removeLeftBehind(base: string, clock: Clock): Promise<void> {
  for (const name of await readdir(base)) {
    const folder = join(base, name)
    if (await isLeftBehind(folder, name, clock)) await rm(folder, { recursive: true, force: true })
  }
}

// Several machines may share the data folder. For processes on another machine, only the age of the folder is known.
async function isLeftBehind(folder: string, name: string, clock: Clock): Promise<boolean> {
  const { pid, life, host } = NAME.exec(name)?.groups ?? {}
  if (host === hostname()) return Number(pid) === process.pid ? life !== LIFE : !isAlive(Number(pid))
  const found = await stat(folder).catch(() => undefined)
  return found !== undefined && clock.now().getTime() - found.mtimeMs > FORGOTTEN_MS
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
