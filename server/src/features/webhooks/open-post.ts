import { allowsLoopbackWebhooks } from '../../config/exposure.js'
import type { Deps } from '../../deps.js'
import { listServers } from '../../foundation/db/servers.js'
import { createPost, type Post } from './post.js'

/** Creates the client for webhooks, with the freedom that the configuration gives it. */
export function openPost({ config, clock, embeddedChain }: Pick<Deps, 'config' | 'clock' | 'embeddedChain'>): Post {
  const { PORT, CHAIN_PORT, DATABASE_URL, DATABASE_DIRECT_URL, REDIS_URL, webUrl } = config
  const ownPorts = new Set([
    PORT,
    CHAIN_PORT,
    portOf(webUrl, PORT),
    portOf(embeddedChain?.rpcUrl, CHAIN_PORT),
    ...[DATABASE_URL, DATABASE_DIRECT_URL]
      .flatMap((url) => (url ? listServers(url) : []))
      .map((url) => portOf(url, 5432)),
    5432,
    portOf(REDIS_URL, 6379),
  ])
  return createPost({
    clock,
    allowPrivate: config.WEBHOOKS_ALLOW_PRIVATE === 'yes',
    loopback: allowsLoopbackWebhooks(config) ? { isOwnPort: (port) => ownPorts.has(port) } : undefined,
  })
}

function portOf(url: string | undefined, usual: number): number {
  return url === undefined || !URL.canParse(url) ? usual : Number(new URL(url).port) || usual
}
