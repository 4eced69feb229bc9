import type { FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.js'

const KEY = /(?<![A-Za-z0-9])sk_[A-Za-z0-9]{8}/
// A session's token is random text in which the beginning of a key can occur, so only one at the beginning counts.
const BEGINS_WITH_KEY = /^(?:[A-Za-z-]+ +)?["']?sk_[A-Za-z0-9]{8}/
const KEY_IN_PAIR = /^[^:]*:sk_[A-Za-z0-9]{8}|^sk_[A-Za-z0-9]{8}/
const OTHER_HEADERS = ['api-key', 'apikey', 'x-apikey', 'x-auth-token', 'x-access-token']
const OTHER_QUERY = /^(x[-_]?)?(api[-_]?key|key|token|access[-_]?token|auth)$/i

/** Tells a caller that sent an API key in another place than X-API-Key where it belongs; undefined if it did not. */
export function findMisplacedKey({ headers, query }: Pick<FastifyRequest, 'headers' | 'query'>): Problem | undefined {
  if (holdsKey(headers.authorization)) return misplaced('Authorization')
  const header = OTHER_HEADERS.find((name) => holdsKey(headers[name]))
  if (header !== undefined) return misplaced(`the header ${header}`)
  const member = Object.entries((query ?? {}) as Record<string, unknown>).find(
    ([name, value]) => OTHER_QUERY.test(name) && holdsKey(value),
  )
  return member && misplaced(`the query as ${member[0]}`, ' Replace it soon: addresses are kept in logs.')
}

/** Explains a value of X-API-Key that is no key at all, but another credential or a key with more around it. */
export function explainWrongKey(value: string): Problem {
  if (/^eyJ/.test(value))
    return wrong('This is a session’s token, not an API key. Send it as `Authorization: Bearer` instead of X-API-Key.')
  if (KEY.test(value) && !/^sk_[A-Za-z0-9]+$/.test(value))
    return wrong('X-API-Key takes the key alone, without Bearer, quotation marks or spaces.')
  return new Problem('INVALID_API_KEY')
}

function wrong(message: string): Problem {
  return new Problem('INVALID_API_KEY', { message })
}

function misplaced(place: string, advice = ''): Problem {
  const message = `An API key was sent in ${place}. Send it in the header X-API-Key, as \`X-API-Key: sk_…\`.${advice}`
  return new Problem('UNAUTHENTICATED', { message })
}

function holdsKey(value: unknown): boolean {
  if (typeof value !== 'string') return false
  const basic = /^Basic +([\w+/=-]{1,500})$/i.exec(value)?.[1]
  return basic === undefined
    ? BEGINS_WITH_KEY.test(value)
    : KEY_IN_PAIR.test(Buffer.from(basic, 'base64').toString('latin1'))
}
