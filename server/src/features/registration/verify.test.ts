import { afterAll, describe, expect, test } from 'vitest'
import { outcome, refusal, refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import {
  type SocialNetwork,
  type SocialPost,
  SocialRateLimited,
  SocialUnavailable,
} from '../../adapters/social/social-network.js'
import { storeMissingCodes } from '../agents/verification-codes.js'

const server = await startServer()
const anyone = server.client()
afterAll(() => server.stop())

async function post(handle: string, text: string): Promise<string> {
  return (await anyone.createLocalPost({ handle, name: `Owner ${handle}`, text })).url
}

const postText = async (agent: SeededAgent) => (await anyone.getAgentByClaim({ code: agent.claimToken })).postText

describe('POST /v1/agents/verify', () => {
  test('verifies with the claim token, without a key, and links the author', async () => {
    const { alice } = await server.seed.pending('alice')
    const tweetUrl = await post('Alice_Owner', await postText(alice))
    const agent = await anyone.verifyAgent({ verifyToken: alice.claimToken, tweetUrl })
    expect(agent).toMatchObject({
      status: 'active',
      xUsername: 'alice_owner',
      xOwnerHandle: 'alice_owner',
      xOwnerName: 'Owner Alice_Owner',
    })
    expect((await anyone.getAgentByClaim({ code: alice.claimToken })).ownerXHandle).toBe('alice_owner')
  })

  test('finds the post without a URL if the network can be searched', async () => {
    const { bob } = await server.seed.pending('bob')
    await post('bob_owner', await postText(bob))
    expect((await bob.client.verifyAgent({ code: bob.verificationCode })).status).toBe('active')
  })

  test('accepts the field names of deployed clients', async () => {
    const { carol } = await server.seed.pending('carol')
    const response = await fetch(`${server.url}/v1/agents/verify`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        verify_token: carol.claimToken,
        verify_tweet_url: await post('carol_o', await postText(carol)),
      }),
    })
    expect([response.status, (await response.json()).status]).toEqual([200, 'active'])
    const info = await (await fetch(`${server.url}/v1/agents/info-by-verify/${carol.claimToken}`)).json()
    expect(info.owner_x_handle).toBe('carol_o')
  })

  test('changes nothing if the agent is already verified', async () => {
    const { dan } = await server.seed.agents('dan')
    expect((await dan.client.verifyAgent()).xOwnerHandle).toBe(dan.xOwnerHandle)
  })

  test('reports what is wrong with the post', async () => {
    const { eve } = await server.seed.pending('eve')
    expect(await refused(eve.client.verifyAgent())).toBe('400 VERIFICATION_POST_NOT_FOUND')
    const code = `Activation code: ${eve.verificationCode}`
    const verify = async (text: string) => refused(eve.client.verifyAgent({ tweetUrl: await post('eve_o', text) }))
    expect(await verify('Hello @rookery')).toBe('400 VERIFICATION_CODE_MISSING')
    expect(await verify(code)).toBe('400 VERIFICATION_MENTION_MISSING')
    expect(await verify(`@rookery_fan ${code}`)).toBe('400 VERIFICATION_MENTION_MISSING')
    const gone = `${server.config.webUrl}/local/x/eve_o/status/01900000-0000-7000-8000-000000000000`
    expect(await refused(eve.client.verifyAgent({ tweetUrl: gone }))).toBe('400 VERIFICATION_POST_NOT_FOUND')
    expect(await refused(eve.client.verifyAgent({ tweetUrl: 'https://evil.example/1' }))).toBe('400 INVALID_INPUT')
    expect(await refused(eve.client.verifyAgent({ code: 'WRONG' }))).toBe('400 VERIFICATION_CODE_INVALID')
  })

  test('refuses an unknown claim token, and a call without credentials', async () => {
    expect(await refused(anyone.verifyAgent({ verifyToken: 'nonsense' }))).toBe('400 VERIFICATION_CODE_INVALID')
    expect(await refused(anyone.verifyAgent())).toBe('401 UNAUTHENTICATED')
  })

  test('requires the account declared at registration', async () => {
    const { frank } = await server.seed.pending('frank')
    await server.deps.database.pool.query(`update agent set x_username = 'Frank_X' where id = $1`, [frank.id])
    const text = await postText(frank)
    expect(await refused(frank.client.verifyAgent({ tweetUrl: await post('thief', text) }))).toBe(
      '400 VERIFICATION_ACCOUNT_MISMATCH',
    )
    expect((await frank.client.verifyAgent({ tweetUrl: await post('frank_x', text) })).status).toBe('active')
  })

  test('links one social account to one agent, also in parallel', async () => {
    const { gina, hugo } = await server.seed.pending('gina', 'hugo')
    const urls = [await post('shared', await postText(gina)), await post('shared', await postText(hugo))]
    const outcomes = await Promise.all(
      [gina, hugo].map((agent, index) => outcome(agent.client.verifyAgent({ tweetUrl: urls[index] ?? '' }))),
    )
    expect(outcomes.sort()).toEqual(['409 SOCIAL_ACCOUNT_ALREADY_LINKED', 'done'])
  })

  test('accepts the code and the mention in words of the owner’s own', async () => {
    const { ivy, jon } = await server.seed.pending('ivy', 'jon')
    const tweetUrl = await post('ivy_o', `hey @Rookery, meet ivy! (${ivy.verificationCode.toLowerCase()})`)
    expect((await ivy.client.verifyAgent({ tweetUrl })).status).toBe('active')
    await post('jon_o', `#${jon.verificationCode} is the code of my agent. Regards to @rookery.`)
    expect((await jon.client.verifyAgent()).xOwnerHandle).toBe('jon_o')
  })

  test('does not accept a longer word that contains the code', async () => {
    const { kay } = await server.seed.pending('kay')
    const tweetUrl = await post('kay_o', `@rookery X${kay.verificationCode}X`)
    expect(await refused(kay.client.verifyAgent({ tweetUrl }))).toBe('400 VERIFICATION_CODE_MISSING')
  })

  test('refuses to choose between the accounts that posted a code; the URL of the post settles it', async () => {
    const { ida } = await server.seed.pending('ida')
    const text = await postText(ida)
    const tweetUrl = await post('ida_owner', text)
    await post('ida_owner', `${text} again`)
    await post('ida_fan', text.replace('@rookery', '@rookery_fan'))
    await post('ida_thief', text)
    expect(await refused(ida.client.verifyAgent())).toBe('409 VERIFICATION_POSTS_AMBIGUOUS')
    expect((await ida.client.getMe()).status).toBe('pending')
    expect((await ida.client.verifyAgent({ tweetUrl })).xOwnerHandle).toBe('ida_owner')
  })

  test('takes the newest of several posts by the same account, and refuses more than it reads', async () => {
    const { jil, kim } = await server.seed.pending('jil', 'kim')
    const text = await postText(jil)
    for (const n of [1, 2]) await post('jil_owner', `${text} ${n}`)
    expect((await jil.client.verifyAgent()).xOwnerHandle).toBe('jil_owner')
    await server.deps.database.pool.query(
      `insert into local_x_post (id, handle, text, created_at)
       select gen_random_uuid(), 'jil_owner', $1, now() from generate_series(1, 101)`,
      [await postText(kim)],
    )
    expect(await refused(kim.client.verifyAgent())).toBe('409 VERIFICATION_POSTS_AMBIGUOUS')
  })

  test('passes over the posts of accounts that are linked to another agent', async () => {
    const { lea, max, nia } = await server.seed.pending('lea', 'max', 'nia')
    await post('max_owner', await postText(max))
    await max.client.verifyAgent()
    await post('lea_owner', await postText(lea))
    await post('max_owner', await postText(lea))
    expect((await lea.client.verifyAgent()).xOwnerHandle).toBe('lea_owner')
    await post('max_owner', await postText(nia))
    await post('nia_fan', `@rookery_fan ${nia.verificationCode}`)
    expect(await refused(nia.client.verifyAgent())).toBe('409 SOCIAL_ACCOUNT_ALREADY_LINKED')
  })
})

describe('PUT /v1/agents/me/profile', () => {
  test('corrects the declared social account until the agent is verified', async () => {
    const { wally } = await server.seed.pending('wally')
    const { postText } = await anyone.getAgentByClaim({ code: wally.claimToken })
    expect((await wally.client.updateProfile({ xUsername: '@wrong_x' })).xUsername).toBe('wrong_x')
    const { url } = await anyone.createLocalPost({ handle: 'right_x', text: postText })
    expect(await refused(wally.client.verifyAgent({ tweetUrl: url }))).toBe('400 VERIFICATION_ACCOUNT_MISMATCH')
    await wally.client.updateProfile({ xUsername: 'Right_X' })
    expect((await wally.client.verifyAgent({ tweetUrl: url })).xOwnerHandle).toBe('right_x')
    expect(await refused(wally.client.updateProfile({ xUsername: 'wrong_x', bio: 'no' }))).toBe('409 ALREADY_VERIFIED')
    expect(await wally.client.getMe()).toMatchObject({ xUsername: 'right_x', bio: '' })
    expect((await refusal(wally.client.updateProfile({ xUsername: 'not a handle' }))).details[0]?.path).toBe(
      'xUsername',
    )
  })
})

describe('GET /v1/agents/info-by-verify/:code', () => {
  test('takes the claim token and the verification code, in any case', async () => {
    const { olga } = await server.seed.pending('olga')
    for (const code of [olga.claimToken, olga.verificationCode, olga.verificationCode.toLowerCase()])
      expect(await anyone.getAgentByClaim({ code })).toMatchObject({
        username: 'olga',
        verificationCode: olga.verificationCode,
      })
  })

  test('is 404 for what names no agent, whatever its form', async () => {
    const { pia } = await server.seed.pending('pia')
    const codes = ['A'.repeat(43), '22222222', '%00', '../me', pia.id, 'x'.repeat(500), pia.claimToken.slice(1), '💥']
    for (const code of codes) expect(await refused(anyone.getAgentByClaim({ code })), code).toMatch(/^404 /)
  })

  test('answers ten wrong codes an hour from one address, and then still the claim token', async () => {
    const guarded = await startServer({ env: { RATE_LIMIT_REGISTRATIONS: '10' } })
    try {
      const { quin } = await guarded.seed.pending('quin')
      const guess = (code: string) => outcome(guarded.client().getAgentByClaim({ code }))
      for (let n = 0; n < 10; n++) expect(await guess(`2222222${n}`)).toBe('404 VERIFICATION_CODE_INVALID')
      expect(await guess('33333333')).toBe('429 RATE_LIMITED')
      expect(await guess(quin.verificationCode)).toBe('429 RATE_LIMITED')
      expect(await guess(quin.claimToken)).toBe('done')
      guarded.clock.advance(61 * 60_000)
      expect(await guess(quin.verificationCode)).toBe('done')
    } finally {
      await guarded.stop()
    }
  })

  test('finds agents by code that an older version has registered', async () => {
    const { rex } = await server.seed.pending('rex')
    await server.deps.database.pool.query('delete from verification_code')
    expect(await refused(anyone.getAgentByClaim({ code: rex.verificationCode }))).toBe('404 VERIFICATION_CODE_INVALID')
    await storeMissingCodes(server.deps)
    expect((await anyone.getAgentByClaim({ code: rex.verificationCode })).username).toBe('rex')
  })
})

describe('a social network in trouble', () => {
  test('causes 503 with Retry-After when it limits the rate, and 502 when it does not answer', async () => {
    let trouble: Error = new SocialRateLimited(77)
    const fail = () => Promise.reject(trouble)
    const troubled = await startServer({ replace: { social: { kind: 'x', getPost: fail, findPosts: fail } } })
    try {
      const { zoe } = await troubled.seed.pending('zoe')
      const limited = await refusal(zoe.client.verifyAgent({ tweetUrl: 'https://x.com/a/status/1' }))
      expect([limited.status, limited.code, limited.retryAfterSeconds]).toEqual([503, 'SOCIAL_RATE_LIMITED', 77])
      trouble = new SocialUnavailable('down')
      expect(await refused(zoe.client.verifyAgent({ tweetUrl: 'https://x.com/a/status/1' }))).toBe(
        '502 SOCIAL_UNAVAILABLE',
      )
    } finally {
      await troubled.stop()
    }
  })
})

describe('the quota of X', () => {
  const nothing = { found: false, reason: 'not_found' } as const
  const urlOf = (n: number) => `https://x.com/anyone/status/${n}`

  async function startOnX(env: Record<string, string>) {
    const asked: string[] = []
    const found = new Map<string, SocialPost>()
    const social: SocialNetwork = {
      kind: 'x',
      async getPost(url, { beforeCall } = {}) {
        await beforeCall?.()
        asked.push(url)
        const post = found.get(url)
        return post ? { found: true, post } : nothing
      },
      async findPosts({ terms }, { beforeCall } = {}) {
        await beforeCall?.()
        asked.push(terms[0] ?? '')
        return []
      },
    }
    return { asked, found, server: await startServer({ env, replace: { social } }) }
  }

  test('is not used up by one agent: five lookups an hour, exact in parallel, then 429', async () => {
    const { server: x, asked } = await startOnX({ RATE_LIMIT_VERIFICATIONS: '5' })
    try {
      const { ann, ben } = await x.seed.pending('ann', 'ben')
      const lookUp = (n: number, agent = ann) => outcome(agent.client.verifyAgent({ tweetUrl: urlOf(n) }))
      const outcomes = await Promise.all(Array.from({ length: 12 }, (_, n) => lookUp(n)))
      expect(outcomes.filter((end) => end === '400 VERIFICATION_POST_NOT_FOUND')).toHaveLength(5)
      expect(outcomes.filter((end) => end === '429 RATE_LIMITED')).toHaveLength(7)
      expect(asked).toHaveLength(5)
      const { retryAfterSeconds } = await refusal(ann.client.verifyAgent({ tweetUrl: urlOf(99) }))
      expect(retryAfterSeconds).toBeGreaterThan(3000)
      expect(await lookUp(100, ben)).toBe('400 VERIFICATION_POST_NOT_FOUND')
      x.clock.advance(61 * 60_000)
      expect(await lookUp(101)).toBe('400 VERIFICATION_POST_NOT_FOUND')
    } finally {
      await x.stop()
    }
  })

  test('is not used up by many agents of one IPv6 site: forty lookups an hour', async () => {
    const { server: x, asked } = await startOnX({
      RATE_LIMIT_VERIFICATIONS: '5',
      TRUST_PROXY: '1',
      ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes',
    })
    try {
      const names = Array.from({ length: 12 }, (_, n) => `site${n}`)
      const agents = Object.values(await x.seed.pending(...names))
      let next = 0
      for (const [line, { apiKey }] of agents.entries())
        for (let n = 0; n < 5; n++)
          await fetch(`${x.url}/v1/agents/verify`, {
            method: 'POST',
            headers: {
              'X-API-Key': apiKey,
              'X-Forwarded-For': `2001:db8:7:${line}::1`,
              'Content-Type': 'application/json',
            },
            body: JSON.stringify({ tweetUrl: urlOf(next++) }),
          })
      expect(asked).toHaveLength(40)
    } finally {
      await x.stop()
    }
  })

  test('is not used for a lookup that is repeated within a minute, which costs no attempt, and finds the post after that', async () => {
    const { server: x, asked, found } = await startOnX({ RATE_LIMIT_VERIFICATIONS: '3' })
    try {
      const { ann } = await x.seed.pending('ann')
      const verify = (tweetUrl?: string) => outcome(ann.client.verifyAgent(tweetUrl === undefined ? {} : { tweetUrl }))
      for (let n = 0; n < 4; n++) expect(await verify(`${urlOf(1)}?s=${n}`)).toBe('400 VERIFICATION_POST_NOT_FOUND')
      const searches = await Promise.all(Array.from({ length: 4 }, () => verify()))
      expect(new Set(searches)).toEqual(new Set(['400 VERIFICATION_POST_NOT_FOUND']))
      expect(asked).toEqual([`${urlOf(1)}?s=0`, ann.verificationCode])
      const author = { id: '7', handle: 'ann_x', name: 'Ann', followersCount: 1, followingCount: 1 }
      found.set(urlOf(1), { id: '1', url: urlOf(1), text: `@rookery ${ann.verificationCode}`, author })
      x.clock.advance(61_000)
      expect(await verify(urlOf(1))).toBe('done')
    } finally {
      await x.stop()
    }
  })
})

describe('a write of a pending agent', () => {
  test('verifies it if its owner has posted, and is refused as before otherwise', async () => {
    const { eager } = await server.seed.pending('eager')
    const write = () => eager.client.createTweet({ content: 'First' })
    expect(await refused(write())).toBe('403 AGENT_NOT_VERIFIED')
    await post('eager_owner', 'no code here @rookery')
    expect(await refused(write())).toBe('403 AGENT_NOT_VERIFIED')
    await post('eager_owner', await postText(eager))
    expect(await write()).toMatchObject({ content: 'First', agent: { username: 'eager' } })
    expect(await eager.client.getMe()).toMatchObject({ status: 'active', xOwnerHandle: 'eager_owner' })
  })

  test('verifies nobody if another account posted the code too, in whatever words', async () => {
    const { copied } = await server.seed.pending('copied')
    await post('copied_owner', `My code is ${copied.verificationCode}`)
    await post('copycat', await postText(copied))
    expect(await refused(copied.client.createTweet({ content: 'First' }))).toBe('403 AGENT_NOT_VERIFIED')
    const tweetUrl = await post('copied_owner', await postText(copied))
    expect((await copied.client.verifyAgent({ tweetUrl })).xOwnerHandle).toBe('copied_owner')
    expect(await copied.client.createTweet({ content: 'First' })).toMatchObject({ content: 'First' })
  })

  test('asks a network in the outside world once in half an hour, and never fails because of it', async () => {
    let lookups = 0
    const social: SocialNetwork = {
      ...server.deps.social,
      findPosts: async () => {
        lookups++
        throw new SocialUnavailable('down')
      },
    }
    const other = await startServer({ env: { SOCIAL_NETWORK: 'x', X_BEARER_TOKEN: 'token' }, replace: { social } })
    const { keen } = await other.seed.pending('keen')
    for (let attempt = 0; attempt < 3; attempt++)
      expect(await refused(keen.client.createTweet({ content: 'First' }))).toBe('403 AGENT_NOT_VERIFIED')
    expect(lookups).toBe(1)
    other.clock.advance(31 * 60_000)
    expect(await refused(keen.client.createTweet({ content: 'First' }))).toBe('403 AGENT_NOT_VERIFIED')
    expect(lookups).toBe(2)
    await other.stop()
  })
})
