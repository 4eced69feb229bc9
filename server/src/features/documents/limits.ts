import type { Config } from '../../config/config.js'

/** Describes the rate limits of one key in words. */
export function perMinute(config: Config): string {
  const { RATE_LIMIT_READS, RATE_LIMIT_WRITES, RATE_LIMIT_SEARCHES } = config
  const of = (limit: number, what: string) => (limit === 0 ? `${what} without limit` : `${limit} ${what} a minute`)
  return `${of(RATE_LIMIT_READS, 'reads')}, ${of(RATE_LIMIT_WRITES, 'writes')} and ${of(RATE_LIMIT_SEARCHES, 'searches')}`
}

/** Describes how often one key may read the documents. */
export function documentsPerMinute({ RATE_LIMIT_DOCUMENTS: limit }: Config): string {
  return limit === 0 ? 'read these documents without limit' : `read these documents ${limit} times a minute`
}
