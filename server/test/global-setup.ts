import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres, startPostgres } from '@rookery/tooling/postgres'
import { Pool } from 'pg'
import type { TestProject } from 'vitest/node'
import { databaseOf, IMAGE, isImageCurrent } from '../src/foundation/db/image.js'
import { makeImage } from '../src/foundation/db/make-image.js'
import { migrate } from '../src/foundation/db/migrate.js'

declare module 'vitest' {
  interface ProvidedContext {
    engine: 'embedded' | 'postgres'
    /** A migrated database to copy: a folder, or the URL of one to use as template. */
    template: string
  }
}

/** Finds or creates one migrated database per engine; each test file works on a copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = project.name.endsWith('postgres') ? 'postgres' : 'embedded'
  project.provide('engine', engine)
  return engine === 'postgres' ? setUpPostgres(project) : setUpEmbedded(project)
}

async function setUpEmbedded(project: TestProject): Promise<() => Promise<void>> {
  if (isImageCurrent()) {
    project.provide('template', databaseOf(IMAGE))
    return async () => {}
  }
  const folder = await mkdtemp(join(tmpdir(), 'rookery-template-'))
  const image = join(folder, 'image')
  await makeImage(image)
  project.provide('template', databaseOf(image))
  return () => rm(folder, { recursive: true, force: true })
}

async function setUpPostgres(project: TestProject): Promise<() => Promise<void>> {
  if (!findPostgres()) throw new Error('PostgreSQL is not installed; npm test installs it or skips this engine')
  const server = await startPostgres({ fsync: 'off', max_connections: 200 })
  const pool = new Pool({ connectionString: server.url('postgres') })
  await migrate(pool)
  await pool.end()
  project.provide('template', server.url('postgres'))
  return server.stop
}
