import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.js'
import { startServerOn } from '../../../test/start-server.js'
import { ConfigError } from '../../base/config-error.js'
import { readManifest } from './manifest.js'

const made: TestDatabase[] = []
afterEach(async () => {
  for (const { remove } of made.splice(0)) await remove()
})

const SECRET = { SERVER_SECRET: randomBytes(32).toString('hex') }

/** A folder on which the service has run once. Its database starts unmarked, as in older versions. */
async function createUsedFolder(): Promise<string> {
  const database = await createTestDatabase()
  made.push(database)
  await (await startServerOn({ ...database.env, ...SECRET })).stop()
  return database.env.DATA_DIR
}

test('a service adopts an unmarked database, and refuses the database of another service', async () => {
  const [mine, theirs] = [await createUsedFolder(), await createUsedFolder()]
  const { id, parts } = (await readManifest(mine)) ?? {}
  const other = await readManifest(theirs)
  expect(parts).toMatchObject({ database: 'made', files: 'made' })
  expect(other?.id).not.toBe(id)

  await rename(join(mine, 'database'), join(mine, 'aside'))
  await rename(join(theirs, 'database'), join(mine, 'database'))
  const starting = startServerOn({ DATA_DIR: mine, ...SECRET })
  await expect(starting).rejects.toThrow(ConfigError)
  await expect(starting).rejects.toThrow(
    `The database in ${join(mine, 'database')} belongs to another installation (${other?.id})`,
  )

  await rm(join(mine, 'database'), { recursive: true })
  await rename(join(mine, 'aside'), join(mine, 'database'))
  const again = await startServerOn({ DATA_DIR: mine, ...SECRET })
  expect((await again.client().getHealth()).checks.database).toBe('ok')
  await again.stop()
}, 120_000)
