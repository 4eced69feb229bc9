import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { StoredMap } from './make-map.js'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** When the map was drawn, and from what. */
export type MapState = Row<'network_map', 'built_at' | 'took_ms' | 'event_id' | 'is_settled'>

export function findMapState(db: Db): Promise<MapState | undefined> {
  return db.find<MapState>(sql`select built_at, took_ms, event_id, is_settled from network_map`)
}

export async function findStoredMap(db: Db): Promise<{ map: StoredMap; builtAt: Date } | undefined> {
  const row = await db.find<Row<'network_map', 'built_at' | 'content'>>(sql`select built_at, content from network_map`)
  if (!row) return undefined
  return { map: JSON.parse((await decompress(row.content)).toString()) as StoredMap, builtAt: row.built_at }
}

export async function storeMap(db: Db, map: StoredMap, state: MapState): Promise<void> {
  const content = await compress(JSON.stringify(map))
  await db.run(sql`
    insert into network_map (built_at, took_ms, event_id, is_settled, content)
    values (${state.built_at}, ${state.took_ms}, ${state.event_id}, ${state.is_settled}, ${content})
    on conflict (id) do update set built_at = excluded.built_at, took_ms = excluded.took_ms,
      event_id = excluded.event_id, is_settled = excluded.is_settled, content = excluded.content`)
}
