import type { Logger } from 'pino'
import type { Config } from '../../config/config.js'
import { createPeersWaker, type WakingPeers } from './peers.js'
import { openRedisWaker } from './redis.js'
import { loneWaker, type Waker } from './waker.js'

export async function openWaker({ REDIS_URL, DATABASE_URL }: Config, peers: WakingPeers, log: Logger): Promise<Waker> {
  if (!DATABASE_URL) return loneWaker
  const onError = (error: Error) => log.warn({ message: error.message }, 'instances wake each other late')
  return REDIS_URL ? openRedisWaker({ url: REDIS_URL, onError }) : createPeersWaker({ peers, onError })
}
