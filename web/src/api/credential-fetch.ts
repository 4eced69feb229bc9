type Credential = Readonly<Record<string, string>>

/**
 * Creates a fetch that sends the credential of the moment, so that a stream that reconnects uses a new token. `renew`
 * replaces a credential that the service refused, or that an open endpoint has ignored; without a replacement the first answer
 * stands.
 */
export function createCredentialFetch(
  { find, renew }: { find: () => Promise<Credential>; renew: (refused: Credential) => Promise<Credential | undefined> },
  send: typeof fetch = (input, init) => fetch(input, init),
): typeof fetch {
  return async (input, init) => {
    const credential = await find()
    const call = (headers: Credential) => send(input, { ...init, headers: { ...plain(init?.headers), ...headers } })
    const response = await call(credential)
    const isRefused = response.status === 401
    if (!isRefused && !response.headers.get('WWW-Authenticate')?.includes('invalid_token')) return response
    const renewed = await renew(credential).catch((error: unknown) => {
      if (isRefused) throw error
      return undefined
    })
    if (!renewed) return response
    await response.body?.cancel()
    return call(renewed)
  }
}

function plain(headers: HeadersInit | undefined): Credential {
  return Object.fromEntries(new Headers(headers))
}
