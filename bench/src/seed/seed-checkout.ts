import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SeedPlan } from './plan.js'
import type { Sample } from './sample.js'

export interface Seeding {
  /** The folder of the checkout whose code seeds. */
  readonly checkout: string
  /** Absent for the embedded database in `dataDir`. */
  readonly databaseUrl?: string
  readonly dataDir: string
  readonly secret: string
  readonly sizes: SeedPlan
}

export interface SeedRequest extends Seeding {
  readonly sampleFile: string
}

/** Fills the database of a checkout with that checkout's own code, and returns a sample of it. */
export async function seedCheckout(seeding: Seeding): Promise<Sample> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-sample-'))
  try {
    const sampleFile = join(folder, 'sample.json')
    const request: SeedRequest = { ...seeding, sampleFile }
    await runIn(seeding.checkout, JSON.stringify(request))
    return JSON.parse(await readFile(sampleFile, 'utf8')) as Sample
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runIn(checkout: string, argument: string): Promise<void> {
  const file = fileURLToPath(new URL('seed-folder.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', file, argument], {
    cwd: checkout,
    // Its progress must not come between what the caller prints.
    stdio: ['ignore', process.stderr, 'inherit'],
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`Seeding with the code in ${checkout} ended with ${code}`)
}
