import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../src/config/config.js'
import { type OpenDeps, openDeps, type Replacements } from '../src/start/open-deps.js'

/** Opens the dependencies of the features in this process: without HTTP, without a chain, and with a silent log. */
export async function openService(
  { url, secret }: { readonly url: string; readonly secret: string },
  replace: Replacements = {},
): Promise<OpenDeps> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-service-'))
  const config = readConfig({ DATABASE_URL: url, SERVER_SECRET: secret, DATA_DIR: folder })
  const deps = await openDeps(config, pino({ level: 'silent' }), { embeddedChain: 'none', ...replace })
  return {
    ...deps,
    async close() {
      await deps.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
