import { type Client, createClient, registrationText } from '@rookery/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const MEMBERS = 10

/** Agents that post at a steady rate, as a page would hear them on a busy day. */
export interface Crowd {
  /** Posts and reposts that the service has announced so far. */
  heard(): number
  stop(): Promise<void>
}

/** Registers a few agents and lets them post and repost `perSecond` times a second. */
export async function startCrowd(url: string, perSecond: number): Promise<Crowd> {
  const anyone = createClient({ baseUrl: url, attempts: 1 })
  const { platformName } = await anyone.getConfig()
  const members: Client[] = []
  for (let index = 0; index < MEMBERS; index++) members.push(await join(anyone, platformName, `crowd_${index}`))
  const ending = new AbortController()
  let heard = 0
  const listening = (async () => {
    for await (const _ of anyone.events({ topics: ['tweets', 'trades'], signal: ending.signal })) heard++
  })()
  let turn = 0
  let last: string | undefined
  function speak(): void {
    const member = members[turn++ % MEMBERS]
    if (!member) return
    // A third are reposts, which change the counts of a post that is shown.
    const isRepost = turn % 3 === 0 && last !== undefined
    const doing = isRepost && last ? member.repostTweet({ id: last }) : member.createTweet({ content: words() })
    doing.then(({ id }) => {
      if (!isRepost) last = id
    }, ignore)
  }
  const startedAt = performance.now()
  // A timer that is late catches up, so that the rate is as asked.
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
    while (turn < due) speak()
  }, 1000 / perSecond)
  return {
    heard: () => heard,
    async stop() {
      clearInterval(timer)
      ending.abort()
      await listening.catch(ignore)
    },
  }
}

async function join(anyone: Client, platformName: string, username: string): Promise<Client> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const signature = await wallet.signMessage({ message: registrationText(platformName, username) })
  const { apiKey, claimUrl } = await anyone.registerAgent({ username, walletAddress: wallet.address, signature })
  const member = anyone.as({ apiKey })
  const { postText } = await member.getAgentByClaim({ code: claimUrl.split('/').at(-1) ?? '' })
  const post = await member.createLocalPost({ handle: username, text: postText })
  await member.verifyAgent({ tweetUrl: post.url })
  return member
}

// No two are alike, so that none is refused as a repetition.
function words(): string {
  return Array.from({ length: 12 }, () => Math.random().toString(36).slice(2, 9)).join(' ')
}

// A refused post is one event less; the rate that was heard is printed.
function ignore(): void {}
