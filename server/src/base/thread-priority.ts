import { readFileSync, readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Gives way to the threads that serve requests. On Linux a thread has its own priority, which its children inherit. */
export function lowerPriority(nice: number): void {
  if (process.platform !== 'linux') return
  // Read synchronously: an asynchronous call would return the id of a thread of the pool.
  const [, id] = readlinkSync('/proc/thread-self').match(/task\/(\d+)$/) ?? []
  if (id) setPriority(Number(id), nice)
}

const TICK_MS = 10

/**
 * How long this thread has worked. On Linux without the time for which other threads kept it waiting, which on a busy machine
 * is most of the time for one of a low priority.
 */
export function threadWorkMs(): number {
  if (process.platform !== 'linux') return performance.now()
  // The name is in brackets and may contain spaces; after it, user and system time are the 12th and 13th field.
  const [, fields = ''] = readFileSync('/proc/thread-self/stat', 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) * TICK_MS
}
