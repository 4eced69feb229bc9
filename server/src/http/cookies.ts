import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieName, Cookies } from '../call.js'

// Sent only to the session endpoints, never with requests from other sites, and not readable by scripts.
const ATTRIBUTES = 'Path=/v1/auth/session; HttpOnly; SameSite=Strict'
const VALUE = /^[\w-]{1,200}$/

export function createCookies(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { webUrl }: { webUrl: string },
): Cookies {
  const secure = webUrl.startsWith('https:') ? '; Secure' : ''
  const given = new Map(
    (headers.cookie ?? '').split(';').map((pair): [string, string] => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    }),
  )
  const send = (name: CookieName, value: string, seconds: number) =>
    void reply.header('Set-Cookie', `rookery_${name}=${value}; Max-Age=${seconds}; ${ATTRIBUTES}${secure}`)
  return {
    get(name) {
      const value = given.get(`rookery_${name}`)
      return value !== undefined && VALUE.test(value) ? value : undefined
    },
    set: send,
    clear: (name) => send(name, '', 0),
  }
}
