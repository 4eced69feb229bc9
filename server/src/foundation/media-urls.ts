import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../base/clock.js'
import type { Config } from '../config/config.js'
import type { Secrets } from './secrets.js'

/** Makes and checks URLs of uploaded files. One of a file that is not public is signed and expires. */
export interface MediaUrls {
  /** Signs a URL of our own files, also one that is signed already; returns any other URL unchanged. */
  sign(url: string): string
  /** Whether the query of a URL holds a signature for this file that has not expired. */
  isSigned(name: string, query: { readonly until?: unknown; readonly sig?: unknown }): boolean
  /** Changes whenever `sign` returns other URLs than before. */
  window(): number
}

const WINDOW_MS = 60 * 60_000
const SIGNATURE_BYTES = 16

/**
 * URLs are the same within an hour of the clock, so that browsers can cache files and answers stay equal, and are valid for
 * an hour or two.
 */
export function createMediaUrls({
  config: { webUrl },
  secrets,
  clock,
}: {
  config: Pick<Config, 'webUrl'>
  secrets: Secrets
  clock: Clock
}): MediaUrls {
  const prefix = `${webUrl}/media/`
  const window = () => Math.floor(clock.now().getTime() / WINDOW_MS)
  const shorten = (signature: Buffer) => signature.subarray(0, SIGNATURE_BYTES)
  const signatureOf = (name: string, until: number) => shorten(secrets.sign('media-url', `${name} ${until}`))

  return {
    window,
    sign(url) {
      if (!url.startsWith(prefix)) return url
      const [name = ''] = url.slice(prefix.length).split('?')
      const until = ((window() + 2) * WINDOW_MS) / 1000
      return `${prefix}${name}?until=${until}&sig=${signatureOf(name, until).toString('base64url')}`
    },
    isSigned(name, { until, sig }) {
      if (typeof until !== 'string' || typeof sig !== 'string' || !/^\d{1,12}$/.test(until)) return false
      if (Number(until) * 1000 <= clock.now().getTime()) return false
      const given = Buffer.from(sig, 'base64url')
      const valid = secrets.signatures('media-url', `${name} ${Number(until)}`).map(shorten)
      return given.length === SIGNATURE_BYTES && valid.some((signature) => timingSafeEqual(given, signature))
    },
  }
}
