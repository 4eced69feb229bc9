import type { LookupFunction } from 'node:net'
import { isLoopback } from '../../config/exposure.js'

/** Which receivers on this machine are allowed. */
export interface LoopbackPolicy {
  /** Whether the service itself, or something that it keeps its data in, listens there. */
  isOwnPort(port: number): boolean
}

const ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Whether the host of a URL is this machine: a loopback address, or the one name that means it. */
export function isLoopbackName(hostname: string): boolean {
  return isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

/** Finds this machine, whatever the name. */
export const lookUpLoopback: LookupFunction = (_hostname, { all, family = 0 }, done) => {
  const wanted = ADDRESSES.filter((address) => family === 0 || String(family).endsWith(String(address.family)))
  const [first] = wanted
  if (all) done(null, wanted)
  else done(null, first?.address ?? '', first?.family ?? 0)
}
