import type { IncomingMessage } from 'node:http'

// Each of these can change what is answered, or is a credential in another place than X-API-Key.
const SPECIAL: ReadonlySet<string> = new Set([
  'accept-version',
  'access-control-request-headers',
  'access-control-request-method',
  'api-key',
  'apikey',
  'authorization',
  'content-length',
  'expect',
  'origin',
  'transfer-encoding',
  'upgrade',
  'x-access-token',
  'x-apikey',
  'x-auth-token',
])

/** Whether a request is an ordinary GET, with at most an API key: nothing about it but its address and key matters for the answer. */
export function isPlain({ method, httpVersion, headers }: IncomingMessage): boolean {
  if (method !== 'GET' || httpVersion !== '1.1' || headers['x-api-key'] === '') return false
  for (const name in headers) if (SPECIAL.has(name)) return false
  return true
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const UUID_LENGTH = 36

/** Addresses that differ only in the id at their end are alike. */
export function keyOf(url: string): { readonly key: string; readonly id?: string } {
  const start = url.length - UUID_LENGTH
  if (url[start - 1] !== '/') return { key: url }
  const id = url.slice(start)
  return UUID.test(id) ? { key: `${url.slice(0, start)}:`, id } : { key: url }
}

const ADDRESSES = /^[\da-f.:]+(?:, ?[\da-f.:]+)*$/i

/** Creates what finds the address of a client behind `hops` proxies, as the framework does; undefined if that needs a closer look. */
export function createAddressOf(hops: number): (request: IncomingMessage) => string | undefined {
  return ({ socket, headers }) => {
    const forwarded = headers['x-forwarded-for']
    if (hops === 0 || forwarded === undefined) return socket.remoteAddress
    if (typeof forwarded !== 'string' || !ADDRESSES.test(forwarded)) return undefined
    const addresses = forwarded.split(',')
    return addresses[Math.max(0, addresses.length - hops)]?.trim()
  }
}
