import { readdir, readFile } from 'node:fs/promises'
import type { Db } from '@rookery/server/database'
import sql from 'sql-template-tag'

const TICKS_PER_SECOND = 100

/** CPU time that processes have used so far, in seconds; it hardly depends on how busy the machine is. Linux only. */
export async function cpuSeconds(pids: readonly number[]): Promise<number> {
  const times = await Promise.all(pids.map(secondsOf))
  return times.reduce((sum, time) => sum + time, 0)
}

async function secondsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name of the program, in brackets, may contain anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND
}

/** The same for one process and so exact that single statements can be measured. Without its threads. */
export async function exactCpuMs(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')[0]) / 1e6
}

/**
 * Starts to measure processes that come and go; the returned function gives the CPU seconds they have used since. A process
 * that has ended is left out, because its usage can no longer be read.
 */
export async function watchCpu(list: () => Promise<readonly number[]>): Promise<() => Promise<number>> {
  const read = async () => {
    const pids = await list()
    return new Map(await Promise.all(pids.map(async (pid) => [pid, await secondsOf(pid)] as const)))
  }
  const before = await read()
  return async () => {
    const after = await read()
    return [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0)
  }
}

/** CPU time that the whole machine has used so far, in seconds, over all cores. Linux only. */
export async function machineCpuSeconds(): Promise<number> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user + nice + system + irq + softirq + steal) / TICKS_PER_SECOND
}

/** A process and those it started, such as the embedded chain of the program. Linux only. */
export async function withChildren(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const children = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  const below = children.flatMap((text) => text.split(' ').filter(Boolean).map(Number))
  return [pid, ...(await Promise.all(below.map(withChildren))).flat()]
}

/** The processes of PostgreSQL that serve connections to this database. */
export async function backendPids(db: Db): Promise<number[]> {
  const rows = await db.many<{ pid: number }>(
    sql`select pid from pg_stat_activity where backend_type = 'client backend' and datname = current_database()`,
  )
  return rows.map(({ pid }) => pid)
}
