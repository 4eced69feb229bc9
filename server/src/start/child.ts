import cluster from 'node:cluster'
import { createLink, type Link } from '../base/link.js'

/** A process that serves the port beside others, as the process that started it sees it from inside. */
export interface Child {
  /** Such as web-1. */
  readonly name: string
  readonly primary: Link
}

/** What the primary process tells a child. */
export const STOP = 'stop'
export const HURRY = 'hurry'
export const LEAVE = 'leave'
/** What a child tells the primary process. */
export const READY = 'ready'

/** Undefined in a process that serves alone, or starts others. */
export function findChild(): Child | undefined {
  if (!cluster.isWorker) return undefined
  // When the primary process ends, Node ends this one.
  const primary = createLink({
    send: (message) => process.connected && process.send?.(message as object),
    onMessage: (listener) => void process.on('message', listener),
  })
  return { name: process.argv[2] ?? `web-${process.pid}`, primary }
}
