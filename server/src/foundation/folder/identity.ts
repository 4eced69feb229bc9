import sql, { type Sql } from 'sql-template-tag'

/** The part of the database handle that the folder needs. */
export interface FolderDb {
  find<Row>(query: Sql): Promise<Row | undefined>
  run(query: Sql): Promise<number>
  transaction<T>(work: (db: FolderDb) => Promise<T>): Promise<T>
}

/** Finds the installation that a database is marked with. */
export async function findIdentity(db: FolderDb): Promise<string | undefined> {
  const row = await db.find<{ value: string }>(sql`select value from setting where name = 'identity'`)
  return row?.value
}

/** Marks a database with an installation; returns the one it has, since another process may have been first. */
export async function giveIdentity(db: FolderDb, id: string): Promise<string> {
  await db.run(sql`insert into setting (name, value) values ('identity', ${id}) on conflict do nothing`)
  return (await findIdentity(db)) ?? id
}

// Any number will do, as long as nothing else in the database locks it.
const LOCK = 727_665_380

/** Runs work while no other process that shares the database works on the folder. */
export function withFolderLock<T>(db: FolderDb, work: (db: FolderDb) => Promise<T>): Promise<T> {
  return db.transaction(async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(${LOCK})`)
    return work(db)
  })
}
