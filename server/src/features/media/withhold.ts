import type { Withheld } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'

/** Takes a file and its thumbnail down: from the commit on, neither is served. `settleFile` must follow. */
export async function withholdFile(db: Db, name: string, why: Withheld): Promise<void> {
  await db.run(sql`update file set withheld = ${JSON.stringify(why)} where ${withThumbnail(name)}`)
}

/** Serves a file and its thumbnail again. `settleFile` must follow. */
export async function restoreFile(db: Db, name: string): Promise<void> {
  await db.run(sql`update file set withheld = null where ${withThumbnail(name)}`)
}

const withThumbnail = (name: string): Sql =>
  sql`name in (select name from file where name = ${name} union select thumbnail_name from file where name = ${name})`
