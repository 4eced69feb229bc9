import type { NetworkMap } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { StaticFile } from '../../foundation/static-file.js'
import { cacheFor } from '../platform/cache-for.js'
import type { StoredMap } from './make-map.js'
import { addNewcomers, listNewcomers } from './newcomers.js'
import { findMapState, findStoredMap } from './stored-map.js'
import { withoutAgents } from './without.js'

/** The map as everybody gets it, kept until something in it changes. */
export interface MapReader {
  read(): Promise<StaticFile<NetworkMap>>
}

const EMPTY: StoredMap = {
  ids: [],
  scale: 1,
  totalAgents: 0,
  totalConnections: 0,
  agents: { usernames: [], displayNames: [], x: [], y: [], followers: [], holders: [], groups: [] },
  follows: { from: [], to: [] },
  holdings: { from: [], to: [] },
  groups: [],
}

export function createMapReader({ db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>): MapReader {
  let stored: { map: StoredMap; builtAt: Date | null } = { map: EMPTY, builtAt: null }
  let answer: { key: string; file: StaticFile<NetworkMap> } | undefined

  async function refresh(): Promise<StaticFile<NetworkMap>> {
    const builtAt = (await findMapState(db))?.built_at ?? null
    if (builtAt?.getTime() !== stored.builtAt?.getTime())
      stored = (await findStoredMap(db)) ?? { map: EMPTY, builtAt: null }
    const suspended = await listSuspended(db)
    const newcomers = await listNewcomers(db, stored.builtAt ?? new Date(0))
    const follows = newcomers.map(({ id, followers_count }) => `${id} ${followers_count}`)
    const key = [stored.builtAt?.toISOString(), ...suspended, ...follows].join()
    if (answer?.key === key) return answer.file
    const map = await addNewcomers(db, withoutAgents(stored.map, new Set(suspended)), newcomers)
    const view = mapView(map, stored.builtAt)
    answer = { key, file: new StaticFile<NetworkMap>('application/json', () => JSON.stringify(view)) }
    return answer.file
  }
  return { read: cacheFor(clock, config.SHARED_ANSWERS_MS, refresh) }
}

async function listSuspended(db: Db): Promise<string[]> {
  const rows = await db.many<Row<'agent', 'id'>>(sql`select id from agent where status = 'suspended' order by id`)
  return rows.map(({ id }) => id)
}

function mapView({ ids, scale, ...map }: StoredMap, builtAt: Date | null): NetworkMap {
  return { builtAt: builtAt?.toISOString() ?? null, ...map }
}
