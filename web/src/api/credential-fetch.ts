type Credential = Readonly<Record<string, string>>

/**
 * Creates a fetch that sends the credential of the moment, so that a stream that reconnects uses a new token. `renew`
 * replaces a credential that the service refused; without a replacement the refusal is the answer.
 */
export function createCredentialFetch(
  { find, renew }: { find: () => Promise<Credential>; renew: (refused: Credential) => Promise<Credential | undefined> },
  send: typeof fetch = (input, init) => fetch(input, init),
): typeof fetch {
  return async (input, init) => {
    const credential = await find()
    const call = (headers: Credential) => send(input, { ...init, headers: { ...plain(init?.headers), ...headers } })
    const response = await call(credential)
    if (response.status !== 401) return response
    const renewed = await renew(credential)
    return renewed ? call(renewed) : response
  }
}

function plain(headers: HeadersInit | undefined): Credential {
  return Object.fromEntries(new Headers(headers))
}
