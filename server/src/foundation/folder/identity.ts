import sql, { type Sql } from 'sql-template-tag'

/** The database that belongs to the folder, as far as the folder asks it. */
export interface FolderDb {
  find<Row>(query: Sql): Promise<Row | undefined>
  run(query: Sql): Promise<number>
  transaction<T>(work: (db: FolderDb) => Promise<T>): Promise<T>
}

/** The installation that a database belongs to, if it was ever told. */
export async function findIdentity(db: FolderDb): Promise<string | undefined> {
  const row = await db.find<{ value: string }>(sql`select value from setting where name = 'identity'`)
  return row?.value
}

/** Tells a database which installation it belongs to, and answers which one it does: another process may have been first. */
export async function giveIdentity(db: FolderDb, id: string): Promise<string> {
  await db.run(sql`insert into setting (name, value) values ('identity', ${id}) on conflict do nothing`)
  return (await findIdentity(db)) ?? id
}

// Any number will do, as long as nothing else in the database locks it.
const LOCK = 727_665_380

/** Lets one process at a time work on a folder that several may share, as long as they share the database. */
export function inTurn<T>(db: FolderDb, work: (db: FolderDb) => Promise<T>): Promise<T> {
  return db.transaction(async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(${LOCK})`)
    return work(db)
  })
}
