// A pasted URL is only parsed, never fetched: the result is an id or a handle, and the host that is called about it comes
// from the configuration.

export interface XPostAddress {
  readonly id: string
  /** As pasted, so it does not prove who wrote the post; null in addresses without a handle. */
  readonly handle: string | null
}

const X_HOSTS = new Set(['x.com', 'www.x.com', 'mobile.x.com', 'twitter.com', 'www.twitter.com', 'mobile.twitter.com'])
const X_POST_PATH =
  /^\/(?:i\/(?:web\/)?status|(?<handle>\w{1,30})\/status(?:es)?)\/(?<id>\d+)(?:\/(?:photo|video)\/\d+)?\/?$/
const X_PROFILE_PATH = /^\/(?<handle>\w{1,30})\/?$/
const MAX_X_ID = 2n ** 63n - 1n

const HANDLE = /^@?(?<handle>\w{1,30})$/
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const LOCAL_ID = new RegExp(`^${UUID}$`, 'i')
const LOCAL_POST_PATH = new RegExp(`^/local/x/\\w{1,30}/status/(?<id>${UUID})/?$`, 'i')
const MAX_LENGTH = 2048

/** Parses the address of a post on x.com or twitter.com. */
export function parseXPostUrl(input: string): XPostAddress | null {
  const { id, handle } = matchXPath(input, X_POST_PATH)
  if (id === undefined || id.length > 19 || BigInt(id) > MAX_X_ID) return null
  return { id, handle: handle ?? null }
}

/** Parses the handle from the address of an X profile. */
export function parseXProfileUrl(input: string): string | null {
  return matchXPath(input, X_PROFILE_PATH).handle ?? null
}

/** Parses the id of a local post from its address under `webUrl` or from the bare id. */
export function parseLocalPostUrl(input: string, webUrl: string): string | null {
  const bare = input.trim()
  if (LOCAL_ID.test(bare)) return bare.toLowerCase()
  const url = parseUrl(input)
  if (url === null || url.origin !== new URL(webUrl).origin) return null
  return LOCAL_POST_PATH.exec(url.pathname)?.groups?.id?.toLowerCase() ?? null
}

/** Parses a handle, without its `@`; null if no account can have it. */
export function parseHandle(input: string): string | null {
  return HANDLE.exec(input.trim())?.groups?.handle ?? null
}

export function xPostUrl(handle: string, id: string): string {
  return `https://x.com/${handle}/status/${id}`
}

export function localPostUrl(webUrl: string, handle: string, id: string): string {
  return new URL(`/local/x/${handle}/status/${id}`, webUrl).href
}

function matchXPath(input: string, path: RegExp): Partial<Record<string, string>> {
  const url = parseUrl(input)
  if (url === null || url.protocol !== 'https:' || url.port !== '' || !X_HOSTS.has(url.hostname)) return {}
  return path.exec(url.pathname)?.groups ?? {}
}

function parseUrl(input: string): URL | null {
  if (input.length > MAX_LENGTH || !URL.canParse(input)) return null
  const url = new URL(input)
  return url.username === '' && url.password === '' ? url : null
}
