import { RookeryError } from './errors.js'

const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * Throws when the server sends the call elsewhere. Following it would take the credential along, which `fetch` removes from
 * `Authorization` alone. The service itself never redirects a call. Needs an answer that was asked for with `redirect: 'manual'`.
 */
export function requireNoRedirect(response: Response, url: string): void {
  // Browsers hide where it leads.
  if (response.type !== 'opaqueredirect' && !REDIRECTS.includes(response.status)) return
  // A page may have called by a relative address.
  const asked = response.url || url
  const location = response.headers.get('location')
  const elsewhere =
    location !== null && URL.canParse(location, asked) ? new URL(location, asked).origin : 'another address'
  const message = `${new URL(asked).origin} redirects this call to ${elsewhere}, and a credential is never taken along. Is baseUrl the address of the service, with https where it has that?`
  throw new RookeryError(response.status, { code: 'INTERNAL', message }, undefined)
}
