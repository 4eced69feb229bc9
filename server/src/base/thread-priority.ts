import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Gives way to the threads that serve requests. On Linux a thread has its own priority, which its children inherit. */
export function lowerPriority(nice: number): void {
  if (process.platform !== 'linux') return
  // Read synchronously: an asynchronous call would return the id of a thread of the pool.
  const [, id] = readlinkSync('/proc/thread-self').match(/task\/(\d+)$/) ?? []
  if (id) setPriority(Number(id), nice)
}
