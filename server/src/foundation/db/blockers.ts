import type { ClientBase, Pool } from 'pg'

const ASK_EVERY_MS = 100

interface Blocker {
  readonly pid: number
  readonly program: string | null
  readonly account: string | null
  readonly address: string | null
  readonly state: string | null
  readonly seconds: number | null
}

// Not what they run, which may contain what members wrote.
const SESSIONS = `
select pid, nullif(application_name, '') as program, usename as account, host(client_addr) as address, state,
  extract(epoch from now() - xact_start)::int as seconds
from pg_stat_activity where pid = any(`
const LAST = ') order by xact_start limit 3'
const BLOCKERS = `${SESSIONS}pg_blocking_pids($1)${LAST}`
const HOLDERS = `${SESSIONS}array(
  select pid from pg_locks where locktype = 'advisory' and granted and classid = 0 and objid = $1 and objsubid = 1
    and database = (select oid from pg_database where datname = current_database()))${LAST}`

/** Who has an advisory lock, in words. */
export async function findHolders(client: ClientBase, lock: number): Promise<string | undefined> {
  const { rows } = await client.query<Blocker>(HOLDERS, [lock])
  return rows.length > 0 ? rows.map(describe).join(' and ') : undefined
}

/** Watches a session while it works; `stop` returns who it waited for at last, in words. `tell` is told once, when it has waited for long. */
export function watchBlockers(
  pool: Pool,
  pid: number,
  { afterMs, tell }: { afterMs: number; tell(who: string): void },
): { stop(): string | undefined } {
  let found: string | undefined
  let waitsSince: number | undefined
  let isStopped = false
  // The embedded engine has one session, which waits for nobody.
  const timer = (pool.options.max ?? 0) > 1 ? setInterval(() => void ask(), ASK_EVERY_MS) : undefined
  let asking = false
  async function ask(): Promise<void> {
    if (asking) return
    asking = true
    const { rows } = await pool.query<Blocker>(BLOCKERS, [pid]).catch(() => ({ rows: [] }))
    asking = false
    if (isStopped) return
    if (rows.length === 0) {
      waitsSince = undefined
      return
    }
    found = rows.map(describe).join(' and ')
    waitsSince ??= performance.now()
    if (performance.now() - waitsSince < afterMs) return
    tell(found)
    waitsSince = Number.POSITIVE_INFINITY
  }
  return {
    stop() {
      isStopped = true
      clearInterval(timer)
      return found
    },
  }
}

function describe({ pid, program, account, address, state, seconds }: Blocker): string {
  const who = [program, account && `as ${account}`, address && `from ${address}`].filter(Boolean).join(' ')
  const since = seconds === null ? '' : `, its transaction ${seconds} s old`
  return `session ${pid} (${[who, state].filter(Boolean).join(', ')}${since})`
}
