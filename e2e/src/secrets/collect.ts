import { createHash, randomBytes } from 'node:crypto'
import { type Client, createClient, registrationText } from '@rookery/sdk'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** Every secret that the service has answered with, and those that callers have sent. */
export interface Secrets {
  add(what: string, value: string): void
  list(): readonly { readonly what: string; readonly value: string }[]
}

const SHORTEST = 8

const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The agent of the walk. */
export const USERNAME = 'keeper_of_rooks'

export function createSecrets(): Secrets {
  const found = new Map<string, string>()
  return {
    add(what, value) {
      if (value.length < SHORTEST) throw new Error(`The ${what} is missing or too short to be searched for: ${value}`)
      found.set(value, what)
    },
    list: () => [...found].map(([value, what]) => ({ what, value })),
  }
}

/**
 * Walks through everything that makes secrets, and returns them. Left out are verification codes: they are posted in public
 * to verify an agent, and serve for nothing else.
 */
export async function collectSecrets(url: string): Promise<Secrets> {
  const secrets = createSecrets()
  const anyone = createClient({ baseUrl: url, attempts: 1 })
  const wallet = privateKeyToAccount(generatePrivateKey())
  const agent = await register(anyone, secrets, wallet, USERNAME)
  await verify(agent, USERNAME)
  const second = privateKeyToAccount(generatePrivateKey())
  await registerByChallenge(anyone, secrets, second)
  const current = await replaceKeys(anyone, secrets, wallet, agent)
  await logIn(anyone, secrets)
  await useBrowser(anyone, secrets)
  await useLocalNetwork(anyone, secrets)
  await signIn(anyone, secrets, wallet)
  await use(current, secrets)
  return secrets
}

interface Claimed extends Client {
  readonly claimToken: string
}

async function register(
  anyone: Client,
  secrets: Secrets,
  wallet: PrivateKeyAccount,
  username: string,
): Promise<Claimed> {
  const signature = await wallet.signMessage({ message: registrationText('Rookery', username) })
  const input = { username, walletAddress: wallet.address, signature }
  const idempotencyKey = randomBytes(16).toString('hex')
  const { apiKey, claimUrl } = await anyone.registerAgent(input, { idempotencyKey })
  // The stored answer is read again, so that it has been written and sealed.
  const again = await anyone.registerAgent(input, { idempotencyKey })
  if (again.apiKey !== apiKey) throw new Error('The answer was not replayed')
  const claimToken = claimUrl.split('/').at(-1) ?? ''
  secrets.add('API key of registering', apiKey)
  secrets.add('claim token', claimToken)
  secrets.add('signature of registering', signature)
  return { ...anyone.as({ apiKey }), claimToken }
}

async function verify(client: Claimed, handle: string): Promise<void> {
  const { baseUrl } = client.options
  await fetch(`${baseUrl}/claim/${client.claimToken}`)
  const { postText } = await client.getAgentByClaim({ code: client.claimToken })
  const post = await client.createLocalPost({ handle, text: postText })
  await client.verifyAgent({ tweetUrl: post.url })
}

/** A text that the service made, signed. */
async function sign(
  anyone: Client,
  secrets: Secrets,
  wallet: PrivateKeyAccount,
  challenge: { purpose: 'register' | 'recover' | 'session' | 'relink'; username?: string },
) {
  const { message, nonce } = await anyone.createChallenge({ ...challenge, walletAddress: wallet.address })
  const signature = await wallet.signMessage({ message })
  secrets.add(`nonce of ${challenge.purpose}`, nonce)
  secrets.add(`signature of ${challenge.purpose}`, signature)
  return { message, signature }
}

async function registerByChallenge(anyone: Client, secrets: Secrets, wallet: PrivateKeyAccount): Promise<void> {
  const username = 'challenged'
  const signed = await sign(anyone, secrets, wallet, { purpose: 'register', username })
  const { apiKey, claimUrl } = await anyone.registerAgent({ username, walletAddress: wallet.address, ...signed })
  secrets.add('API key of registering by a challenge', apiKey)
  secrets.add('claim token', claimUrl.split('/').at(-1) ?? '')
}

/** Replaces the key in each way there is; returns a client with the last one. */
async function replaceKeys(
  anyone: Client,
  secrets: Secrets,
  wallet: PrivateKeyAccount,
  agent: Client,
): Promise<Client> {
  const idempotencyKey = randomBytes(16).toString('hex')
  const regenerated = await agent.regenerateKey({}, { idempotencyKey })
  await agent.regenerateKey({}, { idempotencyKey })
  secrets.add('API key of regenerating', regenerated.apiKey)
  const signed = await sign(anyone, secrets, wallet, { purpose: 'recover' })
  const recovered = await anyone.recoverAgent({ walletAddress: wallet.address, ...signed })
  secrets.add('API key of recovering', recovered.apiKey)
  const { token } = await logIn(anyone, secrets)
  const again = await sign(anyone, secrets, wallet, { purpose: 'recover' })
  const rotated = await anyone.as({ token }).rotateAgentKey({ id: USERNAME, ...again })
  secrets.add('API key of rotating', rotated.apiKey)
  return anyone.as({ apiKey: rotated.apiKey })
}

/** Submits an account on the page of the local network; returns what it sends back. */
async function authorize(secrets: Secrets, url: string, baseUrl: string): Promise<{ code: string; state: string }> {
  const { pathname, searchParams } = new URL(url)
  searchParams.set('handle', USERNAME)
  const page = await (await fetch(`${baseUrl}${pathname}?${searchParams}`)).text()
  const next = new URL(page.match(/href="([^"]+)"/)?.[1]?.replaceAll('&#38;', '&') ?? '')
  const [code, state] = ['code', 'state'].map((name) => next.searchParams.get(name) ?? '') as [string, string]
  secrets.add('code of a login', code)
  secrets.add('state of a login', state)
  // As the browser does on its way back.
  await fetch(`${baseUrl}${next.pathname}${next.search}`)
  return { code, state }
}

async function logIn(anyone: Client, secrets: Secrets): Promise<{ token: string }> {
  const { baseUrl } = anyone.options
  const login = await anyone.completeLogin(await authorize(secrets, (await anyone.startLogin()).url, baseUrl))
  addSession(secrets, 'a login', login)
  const refreshed = await anyone.refreshSession({ refreshToken: login.refreshToken })
  addSession(secrets, 'refreshing', refreshed)
  await anyone.as({ token: refreshed.token }).getOwner()
  return refreshed
}

function addSession(
  secrets: Secrets,
  of: string,
  { token, refreshToken }: { token: string; refreshToken: string },
): void {
  secrets.add(`access token of ${of}`, token)
  // The first two parts say who and until when; the last one is what makes it valid.
  secrets.add(`access token of ${of}`, token.split('.')[2] ?? '')
  secrets.add(`refresh token of ${of}`, refreshToken)
}

/** Logs in as the page does, with cookies. */
async function useBrowser(anyone: Client, secrets: Secrets): Promise<void> {
  const { baseUrl } = anyone.options
  const { webUrl } = await anyone.getConfig()
  const cookies = new Map<string, string>()
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        Origin: webUrl,
        Cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
      if (value !== '') secrets.add(`browser cookie of ${name}`, value)
    }
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response.json() as Promise<{ url: string; accessToken: string }>
  }
  const { url } = await call('POST', '/v1/auth/session/login', {})
  const { accessToken } = await call('POST', '/v1/auth/session', await authorize(secrets, url, baseUrl))
  secrets.add('access token of a browser', accessToken.split('.')[2] ?? '')
  await call('POST', '/v1/auth/session/refresh', {})
  await call('DELETE', '/v1/auth/session')
}

/** Logs in at the local network with a code verifier of our own, as another program might. */
async function useLocalNetwork(anyone: Client, secrets: Secrets): Promise<void> {
  const { baseUrl } = anyone.options
  const url = new URL((await anyone.startLogin()).url)
  const verifier = randomBytes(32).toString('base64url')
  url.searchParams.set('code_challenge', createHash('sha256').update(verifier).digest('base64url'))
  const { code } = await authorize(secrets, url.href, baseUrl)
  const [client_id = '', redirect_uri = ''] = ['client_id', 'redirect_uri'].map(
    (name) => url.searchParams.get(name) ?? '',
  )
  const grant = { grant_type: 'authorization_code' as const, client_id, redirect_uri, code, code_verifier: verifier }
  const { access_token } = await anyone.createLocalToken(grant)
  await anyone.as({ token: access_token }).getLocalAccount()
  secrets.add('code verifier', verifier)
  secrets.add('access token of the local network', access_token)
}

async function signIn(anyone: Client, secrets: Secrets, wallet: PrivateKeyAccount): Promise<void> {
  addSession(
    secrets,
    'a wallet',
    await anyone.logInWithWallet(await sign(anyone, secrets, wallet, { purpose: 'session' })),
  )
  // Its nonce is in the database while it may still be used.
  await sign(anyone, secrets, wallet, { purpose: 'session' })
}

/** Uses the key, and what is made with it. */
async function use(agent: Client, secrets: Secrets): Promise<void> {
  const { baseUrl, apiKey = '' } = agent.options
  const { ticket } = await agent.createTicket()
  secrets.add('ticket', ticket)
  await openSocket(baseUrl, ticket)
  const stream = await fetch(`${baseUrl}/v1/events?topics=tweets`, { headers: { 'X-API-Key': apiKey } })
  await stream.body?.cancel()
  const { webhook, secret } = await agent.createWebhook({ url: 'http://127.0.0.1:9/hook', topics: ['notifications'] })
  secrets.add('webhook secret', secret)
  secrets.add('webhook secret of rotating', (await agent.rotateWebhookSecret({ id: webhook.id })).secret)
  await agent.pingWebhook({ id: webhook.id })
  await agent.uploadFile({ file: new Blob([Uint8Array.from(ONE_PIXEL)]) })
  await agent.getSkillDocument()
  await agent.getHeartbeat()
  await agent.getPrompt()
  // Where a credential does not belong.
  await fetch(`${baseUrl}/v1/agents/${apiKey}`)
  await fetch(`${baseUrl}/v1/tweets?search=${apiKey}&apiKey=${apiKey}`)
  await fetch(`${baseUrl}/nowhere/${apiKey}`, { headers: { 'X-API-Key': apiKey } })
  await fetch(`${baseUrl}/v1/agents/me`, { headers: { Authorization: `Bearer ${apiKey}` } })
  await fetch(`${baseUrl}/v1/tweets`, {
    method: 'POST',
    body: `{"content":"${apiKey}`,
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
  })
  // The last call with this key, which it revokes.
  await agent.createTweet({ content: `my key is ${apiKey}` }).catch(() => undefined)
}

/** Presents a ticket on a socket and waits until it is accepted. */
async function openSocket(baseUrl: string, ticket: string): Promise<void> {
  const { WebSocket } = await import('ws')
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/v1/realtime`)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => socket.send(JSON.stringify({ type: 'auth', ticket })))
    socket.on('message', (data) => {
      const { type } = JSON.parse(String(data)) as { type: string }
      if (type === 'authenticated') resolve()
      else if (type !== 'ready') reject(new Error(`The ticket was answered with ${data}`))
    })
    socket.once('error', reject)
  })
  socket.terminate()
}
