import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

// Each of these can change what is answered, or is a credential in another place than X-API-Key.
const SPECIAL: ReadonlySet<string> = new Set([
  'accept-version',
  'access-control-request-headers',
  'access-control-request-method',
  'api-key',
  'apikey',
  'authorization',
  'content-encoding',
  'expect',
  'idempotency-key',
  'origin',
  'transfer-encoding',
  'upgrade',
  'x-access-token',
  'x-apikey',
  'x-auth-token',
])

/** Whether a request has no body and at most an API key: nothing about it but its method, address and key matters for the answer. */
export function isPlain({ method, httpVersion, headers }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' || headers['x-api-key'] === '' || !hasPlainBody(method, headers)) return false
  for (const name in headers) if (SPECIAL.has(name)) return false
  return true
}

// Deployed clients announce the type of a body, or its length of 0, where there is none.
function hasPlainBody(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  const { 'content-length': length, 'content-type': type } = headers
  if (method === 'GET') return length === undefined
  return method === 'POST' && (length ?? '0') === '0' && (type ?? 'application/json') === 'application/json'
}

const WITH_ID = /^([^?]*\/)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(\/[a-z-]+)?$/

/** Addresses that differ only in the one id in them are alike. */
export function keyOf({ method, url = '' }: IncomingMessage): { readonly key: string; readonly id?: string } {
  const [, before, id, after = ''] = WITH_ID.exec(url) ?? []
  return id === undefined ? { key: `${method} ${url}` } : { key: `${method} ${before}:${after}`, id }
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
