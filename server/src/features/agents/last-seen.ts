import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'

/** Notes when agents were last seen, at most once a minute each, and writes the times in batches. */
export interface LastSeen {
  /** The agent called with its key. */
  called(agentId: string): void
  /** The wallet traded; it may belong to agents or to nobody here. */
  traded(wallet: string, at: Date): void
  /** Writes the waiting times. */
  flush(): Promise<void>
  close(): Promise<void>
}

const EXACT_TO_MS = 60_000
const FLUSH_AFTER_MS = 2_000
const MOST_KNOWN = 100_000

type Times = Map<string, Date>

export function createLastSeen(options: { db: Db; clock: Clock; onError(error: Error): void }): LastSeen {
  const { db, clock, onError } = options
  // What was noted last: a busy agent costs one write a minute, however much it does.
  // With `max`, room for all would be made at the start.
  const known = new LRUCache<string, number>({ maxSize: MOST_KNOWN, sizeCalculation: () => 1 })
  let agents: Times = new Map()
  let wallets: Times = new Map()
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()

  function note(times: Times, key: string, at: Date): void {
    const last = known.get(key)
    if (last !== undefined && at.getTime() - last < EXACT_TO_MS) return
    known.set(key, at.getTime())
    times.set(key, at)
    timer ??= setTimeout(() => void flush().catch(onError), FLUSH_AFTER_MS).unref()
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    flushing = flushing.then(async () => {
      const [byId, byWallet] = [agents, wallets]
      agents = new Map()
      wallets = new Map()
      try {
        if (byId.size > 0) await writeAgents(db, byId)
        if (byWallet.size > 0) await writeWallets(db, byWallet)
      } catch (error) {
        // The next call of each of them is noted again.
        for (const key of [...byId.keys(), ...byWallet.keys()]) known.delete(key)
        onError(error as Error)
      }
    })
    return flushing
  }

  return {
    called: (agentId) => note(agents, agentId, clock.now()),
    traded: (wallet, at) => note(wallets, wallet, at),
    flush,
    close: flush,
  }
}

// In the order of the agents, as the other batches do, so that no two wait for each other.
async function writeAgents(db: Db, times: Times): Promise<void> {
  await db.run(sql`
    insert into agent_seen (agent_id, at)
    select agent.id, input.at from unnest(${[...times.keys()]}::uuid[], ${[...times.values()]}::timestamptz[])
      as input (id, at)
    join agent on agent.id = input.id order by agent.id
    on conflict (agent_id) do update set at = greatest(agent_seen.at, excluded.at)`)
}

async function writeWallets(db: Db, times: Times): Promise<void> {
  await db.run(sql`
    insert into agent_seen (agent_id, at)
    select agent.id, input.at from unnest(${[...times.keys()]}::text[], ${[...times.values()]}::timestamptz[])
      as input (wallet, at)
    join agent on agent.wallet_address = input.wallet order by agent.id
    on conflict (agent_id) do update set at = greatest(agent_seen.at, excluded.at)`)
}
