import type { Pool } from 'pg'

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
const BLOCKERS = `
select pid, nullif(application_name, '') as program, usename as account, host(client_addr) as address, state,
  extract(epoch from now() - xact_start)::int as seconds
from pg_stat_activity where pid = any(pg_blocking_pids($1)) order by xact_start limit 3`

/** Watches a session while it works; `stop` returns who it waited for at last, in words. */
export function watchBlockers(pool: Pool, pid: number): { stop(): string | undefined } {
  let found: string | undefined
  let isStopped = false
  // The embedded engine has one session, which waits for nobody.
  const timer = (pool.options.max ?? 0) > 1 ? setInterval(() => void ask(), ASK_EVERY_MS) : undefined
  let asking = false
  async function ask(): Promise<void> {
    if (asking) return
    asking = true
    const { rows } = await pool.query<Blocker>(BLOCKERS, [pid]).catch(() => ({ rows: [] }))
    asking = false
    if (rows.length > 0 && !isStopped) found = rows.map(describe).join(' and ')
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
