import { type Client, createClient, registrationText, sendTransaction } from '@rookery/sdk'
import type { Random } from '@rookery/tooling/random'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Operation } from './document.js'
import type { Pool } from './pool.js'

/** The header that a credential is sent in. */
export type Credential = readonly [name: string, value: string]

/** Agents and people in whose names requests are made. */
export interface Population {
  /** A credential for an operation: usually one that it takes, sometimes another or none. */
  pick(random: Random, operation: Operation): Credential | undefined
  /** Takes the right to act from whoever has a credential, and gives it back: its key is replaced, or its owner freezes it. */
  disturb(random: Random, credential: string): Promise<void>
  /** Brings everybody back in: an attack replaces keys, freezes agents and ends sessions. */
  restore(): Promise<void>
}

interface Member {
  readonly username: string
  readonly wallet: PrivateKeyAccount
  apiKey: string
}

const AGENTS = 4
const FITTING = 0.75
const WITHOUT_CREDENTIAL = 0.3

/** Registers agents, verifies and launches them where the service runs on its stand-ins, and logs their people in. */
export async function populate(url: string, pool: Pool): Promise<Population> {
  const anyone = createClient({ baseUrl: url, attempts: 1 })
  const { platformName, webUrl } = await anyone.getConfig()
  const prefix = `attack_${Math.floor(performance.timeOrigin % 1e9).toString(36)}`
  const members: Member[] = []
  for (let index = 0; index <= AGENTS; index++) {
    const username = `${prefix}_${index}`
    const wallet = privateKeyToAccount(generatePrivateKey())
    const signature = await wallet.signMessage({ message: registrationText(platformName, username) })
    const { apiKey, claimUrl } = await anyone.registerAgent({ username, walletAddress: wallet.address, signature })
    members.push({ username, wallet, apiKey })
    // The last one stays unverified.
    if (index < AGENTS) await verify(anyone.as({ apiKey }), username, claimUrl.split('/').at(-1) ?? '')
  }
  for (const { username, wallet, apiKey } of members.slice(0, 2))
    await launch(anyone.as({ apiKey }), username, wallet).catch(ignore)

  const [first] = members as [Member, ...Member[]]
  // What the person behind the first agent asks for is theirs.
  pool.add('id@owner', first.username)
  for (const topic of ['tweets', 'trades', `agent:${first.username}`]) pool.add('topics', topic)
  for (const [name, value] of new URL((await anyone.startLogin()).url).searchParams) pool.add(name, value)
  for (const { apiKey } of members.slice(0, 2)) await write(anyone.as({ apiKey }), pool)

  let credentials: Credential[] = []
  async function restore(): Promise<void> {
    const tokens: string[] = []
    for (const member of members) {
      const login = await logIn(anyone, member.username).catch(ignore)
      if (login === undefined) continue
      if (member === first) tokens.push(login)
      const owner = anyone.as({ token: login })
      const id = member.username
      await owner.unfreezeAgent({ id }).catch(ignore)
      await owner.updateControls({ id, ...NO_RULES }).catch(ignore)
    }
    for (const member of members) member.apiKey = await currentKey(anyone, member)
    const wallet = await signIn(anyone, first.wallet).catch(ignore)
    credentials = [
      ...members.map(({ apiKey }) => ['X-API-Key', apiKey] as const),
      ...[...tokens, wallet].flatMap((token) =>
        token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const],
      ),
    ]
  }

  async function disturb(random: Random, credential: string): Promise<void> {
    const member = members.find(({ apiKey }) => apiKey === credential)
    if (!member) return
    if (random.chance(0.5)) {
      const replaced = await anyone.as({ apiKey: member.apiKey }).regenerateKey().catch(ignore)
      if (!replaced) return
      credentials = credentials.map((it) => (it[1] === member.apiKey ? [it[0], replaced.apiKey] : it))
      member.apiKey = replaced.apiKey
      return
    }
    const login = await logIn(anyone, member.username).catch(ignore)
    if (login === undefined) return
    const owner = anyone.as({ token: login })
    await owner.freezeAgent({ id: member.username }).catch(ignore)
    await owner.unfreezeAgent({ id: member.username }).catch(ignore)
  }

  await restore()
  return {
    restore,
    disturb,
    pick(random, operation) {
      if (operation.credentials.includes('browserSession') && random.chance(FITTING)) return ['Origin', webUrl]
      const header = operation.credentials.includes('ownerToken') ? 'Authorization' : 'X-API-Key'
      const fitting = credentials.filter(([name]) => name === header || operation.credentials.length > 1)
      if (operation.credentials.length > 0 && fitting.length > 0 && random.chance(FITTING)) return random.pick(fitting)
      return random.chance(WITHOUT_CREDENTIAL) ? undefined : random.pick(credentials)
    },
  }
}

const NO_RULES = {
  maxDailyPosts: null,
  maxTradeBNB: null,
  maxDailyTradeBNB: null,
  allowedActions: null,
  approvePostsAfter: null,
  approveTradesAboveBNB: null,
  recoveryWaits: false,
}

const ignore = () => undefined

/** Leaves something of every kind, so that requests have what they can refer to. */
async function write(client: Client, pool: Pool): Promise<void> {
  const left = [
    client.createTweet({ content: 'The rooks are back' }),
    client.createTweet({ content: 'For holders', visibility: 'private' }),
    client.createTweet({ content: 'Gone south' }),
  ]
  pool.harvest('/v1/tweets', await Promise.all(left).catch(ignore))
  pool.harvest(
    '/v1/academy/skills',
    await client.createSkill({ name: 'Counting', content: '# Count\n', type: 'skill' }).catch(ignore),
  )
  const hook = { url: 'https://receiver.example/hook', topics: ['notifications' as const] }
  pool.harvest('/v1/webhooks', await client.createWebhook(hook).catch(ignore))
  pool.harvest('/v1/agents', await client.getMe())
}

async function verify(client: Client, username: string, code: string): Promise<void> {
  const { postText } = await client.getAgentByClaim({ code })
  const post = await client.createLocalPost({ handle: username, text: postText }).catch(ignore)
  if (post) await client.verifyAgent({ tweetUrl: post.url })
}

async function launch(client: Client, username: string, wallet: PrivateKeyAccount): Promise<void> {
  await client.requestFaucet({ address: wallet.address })
  const quote = await client.getShareQuote({ side: 'buy', agentId: username, amount: 1, walletAddress: wallet.address })
  if (quote.transaction) await sendTransaction(client, wallet, quote.transaction, { wait: 10 })
}

/** Logs in at the local social network as a person would, and returns the token. */
async function logIn(client: Client, handle: string): Promise<string> {
  const { pathname, searchParams } = new URL((await client.startLogin()).url)
  searchParams.set('handle', handle)
  const page = await (await fetch(`${client.options.baseUrl}${pathname}?${searchParams}`)).text()
  const next = new URL(page.match(/href="([^"]+)"/)?.[1]?.replaceAll('&#38;', '&') ?? '')
  const [code, state] = ['code', 'state'].map((name) => next.searchParams.get(name) ?? '') as [string, string]
  return (await client.completeLogin({ code, state })).token
}

async function signIn(client: Client, wallet: PrivateKeyAccount): Promise<string> {
  const { message } = await client.createChallenge({ purpose: 'session', walletAddress: wallet.address })
  return (await client.logInWithWallet({ message, signature: await wallet.signMessage({ message }) })).token
}

/** The key of an agent, or a new one if it was replaced meanwhile. */
async function currentKey(client: Client, { apiKey, wallet }: Member): Promise<string> {
  if (await client.as({ apiKey }).getMe().catch(ignore)) return apiKey
  const { message } = await client.createChallenge({ purpose: 'recover', walletAddress: wallet.address })
  const signature = await wallet.signMessage({ message })
  return (await client.recoverAgent({ walletAddress: wallet.address, message, signature })).apiKey
}
