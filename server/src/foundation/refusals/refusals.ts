import sql from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../db/db.js'

/** What is kept of a call that was refused: enough to say why, and neither contents nor secrets. */
export interface Refusal {
  readonly requestId: string
  readonly method: string
  /** The pattern of the route, since paths can carry claim tokens. */
  readonly route: string
  readonly status: number
  readonly code: string
  readonly message: string
  /** What the call counted against. */
  readonly limitClass: string | null
  readonly agentId: string | null
  readonly network: string
}

/** Notes refused calls, so that operators can ask for the reason of one. Nobody waits for it. */
export interface Refusals {
  add(refusal: Refusal): void
  /** Stores what was noted so far. */
  flush(): Promise<void>
  close(): Promise<void>
}

const FLUSH_EVERY_MS = 1_000
const MINUTE_MS = 60_000
/** A caller who is refused all the time must not push out the others. */
const MOST_BY_CALLER = 20
const MOST_A_MINUTE = 600
const LONGEST_MESSAGE = 300
/** Messages are ours, but some name what was sent. */
const SECRET = /(?:sk|whsec)_\S+|0x[0-9a-f]{64,}/gi

interface RefusalsOptions {
  readonly db: Db
  readonly clock: Clock
  readonly instanceId: string
  onError(error: Error): void
}

/**
 * Collects refusals in memory and stores them once a second, in a ring that never grows. Of more than a caller, or all callers, are
 * allowed in a minute, only the number is kept; so is that of those that could not be stored.
 */
export function openRefusals({ db, clock, instanceId, onError }: RefusalsOptions): Refusals {
  let waiting: (Refusal & { readonly at: Date })[] = []
  let byCaller = new Map<string, number>()
  let taken = 0
  let leftOut = 0
  let minute = 0
  let timer: NodeJS.Timeout | undefined
  let storing: Promise<void> = Promise.resolve()

  async function store(): Promise<void> {
    const refusals = waiting
    const gap = leftOut
    waiting = []
    leftOut = 0
    if (refusals.length === 0 && gap === 0) return
    const rows = refusals.map((refusal) => ({ ...refusal, leftOut: null as number | null }))
    const all = gap === 0 ? rows : [...rows, { at: clock.now(), leftOut: gap }]
    try {
      await db.run(sql`
        insert into refused_call (slot, at, instance_id, request_id, left_out, method, route, status, code, message, limit_class, agent_id, network)
        select nextval('refused_call_slot'), at, ${instanceId}, "requestId", "leftOut", method, route, status, code, message,
          "limitClass", "agentId", network
        from json_to_recordset(${JSON.stringify(all)}::json) as refused (at timestamptz, "requestId" text, "leftOut" integer, method text,
          route text, status integer, code text, message text, "limitClass" text, "agentId" uuid, network text)
        on conflict (slot) do update set at = excluded.at, instance_id = excluded.instance_id, request_id = excluded.request_id,
          left_out = excluded.left_out, method = excluded.method, route = excluded.route, status = excluded.status,
          code = excluded.code, message = excluded.message, limit_class = excluded.limit_class, agent_id = excluded.agent_id,
          network = excluded.network`)
    } catch (error) {
      leftOut += refusals.length + gap
      onError(error as Error)
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    storing = storing.then(store)
    return storing
  }

  return {
    add(refusal) {
      const at = clock.now()
      const current = Math.floor(at.getTime() / MINUTE_MS)
      if (current !== minute) {
        minute = current
        byCaller = new Map()
        taken = 0
      }
      const caller = refusal.agentId ?? refusal.network
      const calls = (byCaller.get(caller) ?? 0) + 1
      // Every caller has some of the places, so there are no more callers than places.
      if (taken < MOST_A_MINUTE) byCaller.set(caller, calls)
      if (calls > MOST_BY_CALLER || taken >= MOST_A_MINUTE) leftOut++
      else {
        taken++
        waiting.push({ ...refusal, message: refusal.message.replace(SECRET, '***').slice(0, LONGEST_MESSAGE), at })
      }
      timer ??= setTimeout(() => void flush(), FLUSH_EVERY_MS)
    },
    flush,
    close: flush,
  }
}
