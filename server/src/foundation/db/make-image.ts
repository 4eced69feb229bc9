import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { openEmbedded } from './connect.js'
import { createManifest, databaseOf, IMAGE, manifestOf } from './image.js'
import { migrate } from './migrate.js'

// The engine never creates a second database, and the templates make up half of the files to copy.
const DROP_TEMPLATES = [
  "update pg_database set datistemplate = false where datname in ('template0', 'template1')",
  'drop database template0',
  'drop database template1',
]

/** Builds a migrated, empty database, and replaces the previous image when it is complete. */
export async function makeImage(image = IMAGE): Promise<void> {
  mkdirSync(dirname(image), { recursive: true })
  const folder = mkdtempSync(`${image}.new-`)
  try {
    const manifest = createManifest()
    const database = await openEmbedded(databaseOf(folder), { image: undefined })
    try {
      await migrate(database.pool)
      for (const statement of DROP_TEMPLATES) await database.pool.query(statement)
    } finally {
      await database.close()
    }
    writeFileSync(manifestOf(folder), JSON.stringify(manifest))
    rmSync(image, { recursive: true, force: true })
    renameSync(folder, image)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
