import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@rookery/sdk'
import { startProgram } from '@rookery/tooling/start-program'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder in which the program has run once: the database is migrated and the contract deployed. */
    template: string
  }
}

/** Has the program set up a folder once; most tests start it on a copy, which saves them the wait. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-template-'))
  const program = await startProgram({ dataDir: folder })
  await waitForChain(program.url)
  await program.stop()
  project.provide('template', folder)
  return () => rm(folder, { recursive: true, force: true })
}

async function waitForChain(url: string): Promise<void> {
  const client = createClient({ baseUrl: url })
  for (;;) {
    const { checks } = await client.getHealth()
    if (checks.chain?.lagBlocks === 0) return
    await wait(50)
  }
}
