import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../base/problem.js'
import { hasRepeatedName } from '../base/repeated-names.js'
import { invalidJson } from './invalid-json.js'

/** Makes the app read JSON, exactly, and forms where an endpoint takes one. */
export function readBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    // Deployed clients send the content type application/json on requests without a body.
    if (bytes.length === 0) return done(null, undefined)
    if (!isUtf8(bytes)) return done(notUtf8(bytes))
    const text = bytes.toString()
    parse(request, text, (error, value) =>
      done(error !== null || hasRepeatedName(text, value) ? invalidJson(text) : null, value),
    )
  })
  // Any web page can send a form, so only endpoints that declare it accept one.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    if (!request.routeOptions.config.access?.form) return done(new Problem('UNSUPPORTED_MEDIA_TYPE'))
    done(null, Object.fromEntries(new URLSearchParams(body as string)))
  })
}

function notUtf8(bytes: Buffer): Problem {
  // What cannot be decoded is encoded as something else.
  const decoded = Buffer.from(bytes.toString())
  const at = bytes.findIndex((byte, index) => byte !== decoded[index])
  const place = `byte ${at + 1} is not part of a character of UTF-8`
  return new Problem('INVALID_JSON', {
    message: `The body is not valid JSON: ${place}. Encode it as UTF-8.`,
    details: [{ path: 'body', message: place }],
  })
}

const ENCODED = /(?:%[\da-f]{2})+/gi

/** Refuses an address whose query has bytes that are no text: they would be read as other characters than were sent. */
export function requireDecodable(url: string): void {
  if (!url.includes('%')) return
  for (const [bytes] of url.slice(url.indexOf('?') + 1).matchAll(ENCODED))
    if (!isUtf8(Buffer.from(bytes.replaceAll('%', ''), 'hex')))
      throw new Problem('INVALID_INPUT', { message: 'The query has a % that does not encode a character of UTF-8.' })
}
