import type { Logger } from 'pino'
import type { Config } from '../../config/config.js'
import type { Db } from '../db/db.js'
import { createLonePeers, type Peers } from './peers.js'
import { openPostgresPeers } from './postgres-peers.js'

/** The embedded database belongs to one process, which has no peers. */
export async function openPeers(config: Config, db: Db, instanceId: string, log: Logger): Promise<Peers> {
  const { DATABASE_URL, DATABASE_DIRECT_URL: url = DATABASE_URL, ROLE: role, version } = config
  if (url === undefined) return createLonePeers()
  const onError = (error: Error) => log.warn({ message: error.message }, 'instances cannot reach each other')
  return openPostgresPeers({ db, url, instanceId, about: { role, version }, onError })
}
