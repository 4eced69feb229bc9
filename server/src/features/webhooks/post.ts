import { lookup as lookUp } from 'node:dns'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'
import { type Clock, systemClock } from '../../base/clock.js'
import { isPublicAddress, onlyPublic } from './addresses.js'
import { isLoopbackName, type LoopbackPolicy, lookUpLoopback } from './loopback.js'
import { createResolve } from './resolve.js'

/** The result of a post: the receiver's status, or why there was no answer. */
export type PostOutcome = { readonly statusCode: number } | { readonly error: string }

/** Posts to URLs that agents and browsers chose. */
export interface Post {
  (url: string, headers: Readonly<Record<string, string>>, body: string | Buffer): Promise<PostOutcome>
  /** Why a URL can never be posted to; undefined when it can. */
  refuse(url: string): string | undefined
}

const ANSWER_WITHIN_MS = 10_000
const MOST_ANSWER_BYTES = 65_536

/**
 * Creates the only client that connects to URLs chosen by agents. A name is looked up once, and the address that was
 * checked is the one connected to, so that a name cannot resolve differently in between. Addresses that are not public
 * are refused here and again by the agent. Redirects are not followed. `allowPrivate` is for development: it also
 * allows plain http, private addresses, and names that only this machine knows.
 */
export function createPost({
  allowPrivate = false,
  clock = systemClock,
  nameServers,
  loopback,
  lookup = allowPrivate
    ? (lookUp as LookupFunction)
    : createResolve({ clock, ...(nameServers && { servers: nameServers }) }),
}: {
  allowPrivate?: boolean
  clock?: Clock
  /** The name servers to ask instead of the machine's. */
  nameServers?: readonly string[]
  lookup?: LookupFunction
  /** Set where receivers on this machine are allowed, by plain http too. */
  loopback?: LoopbackPolicy | undefined
} = {}): Post {
  const options = {
    allowPrivateIPAddress: allowPrivate,
    allowMetaIPAddress: allowPrivate,
    lookup: allowPrivate ? lookup : onlyPublic(lookup),
  }
  const agents = { 'https:': new RequestFilteringHttpsAgent(options), 'http:': new RequestFilteringHttpAgent(options) }

  // A name is never looked up for these, so that none but localhost leads to this machine.
  const agentsHere = {
    'https:': new HttpsAgent({ lookup: lookUpLoopback }),
    'http:': new HttpAgent({ lookup: lookUpLoopback }),
  }
  const hint = loopback ? ', or one on this machine such as http://127.0.0.1:8080' : ''

  function refuse(url: string): string | undefined {
    const parsed = URL.canParse(url) ? new URL(url) : undefined
    const isHere = parsed !== undefined && loopback !== undefined && isLoopbackName(parsed.hostname)
    if (!parsed || (parsed.protocol !== 'https:' && !((allowPrivate || isHere) && parsed.protocol === 'http:')))
      return `must be an https URL${hint}`
    if (parsed.username !== '' || parsed.password !== '') return 'must not contain a user name or password'
    if (isHere && loopback.isOwnPort(portOf(parsed))) return 'must not lead back to this service'
    return allowPrivate || isHere || isPublicHost(parsed.hostname) ? undefined : `must be a public address${hint}`
  }

  function post(url: string, headers: Readonly<Record<string, string>>, body: string | Buffer): Promise<PostOutcome> {
    const reason = refuse(url)
    if (reason !== undefined) return Promise.resolve({ error: `It is not allowed: the address ${reason}.` })
    const { protocol, hostname } = new URL(url)
    const isHttps = protocol === 'https:'
    const isHere = loopback !== undefined && isLoopbackName(hostname)
    return new Promise((resolve) => {
      const outgoing = (isHttps ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        agent: (isHere ? agentsHere : agents)[isHttps ? 'https:' : 'http:'],
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      })
      const late = setTimeout(() => outgoing.destroy(new Error('no answer within 10 s')), ANSWER_WITHIN_MS)
      function done(outcome: PostOutcome): void {
        clearTimeout(late)
        resolve(outcome)
      }
      outgoing.on('error', (error) => done({ error: error.message.slice(0, 300) }))
      outgoing.on('response', (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > MOST_ANSWER_BYTES) outgoing.destroy()
        })
        response.on('error', () => {})
        response.on('close', () => done({ statusCode: response.statusCode ?? 0 }))
      })
      outgoing.end(body)
    })
  }

  return Object.assign(post, { refuse })
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

function isPublicHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 ? hostname.includes('.') : isPublicAddress(address)
}
