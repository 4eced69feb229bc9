import { errors, type PendingApproval } from '@rookery/api'
import { isPending } from '@rookery/sdk'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../../test/listen.js'
import { outcome, refusal, refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { collectStatements } from '../../../test/statements/record.js'
import { allowErasing } from '../../foundation/audit/old-words.js'
import { expireApprovals } from './approvals.js'

const server = await startServer()
afterAll(() => server.stop())
const DAY_MS = 24 * 60 * 60_000

type Owner = Awaited<ReturnType<typeof server.seed.login>>['client']

let alice: SeededAgent
let bob: SeededAgent
let owner: Owner
let stranger: Owner

beforeAll(async () => {
  ;({ alice, bob } = await server.seed.agents('alice', 'bob'))
  await bob.client.createTweet({ content: 'something to like' })
  await logIn()
})

/** Owners’ tokens expire when a test advances the clock. */
async function logIn() {
  owner = (await server.seed.login('alice')).client
  stranger = (await server.seed.login('bob')).client
}

async function nextDay() {
  server.clock.advance(DAY_MS)
  await logIn()
}

const lift = () =>
  owner.updateControls({
    id: 'alice',
    maxDailyPosts: null,
    maxTradeBNB: null,
    maxDailyTradeBNB: null,
    allowedActions: null,
    approvePostsAfter: null,
    approveTradesAboveBNB: null,
  })

const post = (content = 'hello') => alice.client.createTweet({ content })
const published = async () => (await bob.client.listTweets({ mode: 'new', username: 'alice', limit: 100 })).data
const log = async () => (await owner.listAuditEntries({ id: 'alice', limit: 100 })).data

describe('the owner’s endpoints', () => {
  test('show state, controls and pending approvals', async () => {
    const { agent, controls, unreadNotifications, waitingApprovals } = await owner.getOwnedAgent({ id: 'alice' })
    expect(agent).toMatchObject({ id: alice.id, status: 'active' })
    expect(controls).toMatchObject({ agentId: alice.id, frozenAt: null, allowedActions: null, maxDailyPosts: null })
    expect({ unreadNotifications, waitingApprovals }).toEqual({ unreadNotifications: 0, waitingApprovals: 0 })
  })

  test('refuse agents, whatever they send', async () => {
    const asToken = server.client({ token: alice.apiKey })
    for (const client of [alice.client, bob.client, asToken, server.client()]) {
      expect(await outcome(client.unfreezeAgent({ id: 'alice' }))).toMatch(/^401/)
      expect(await outcome(client.updateControls({ id: 'alice', maxDailyPosts: 1000 }))).toMatch(/^401/)
      expect(await outcome(client.getOwnedAgent({ id: 'alice' }))).toMatch(/^401/)
    }
  })

  test('refuse the owner of another agent', async () => {
    const id = 'alice'
    const approvalId = alice.id
    const calls = [
      stranger.getOwnedAgent({ id }),
      stranger.getOwnedAgentActivity({ id }),
      stranger.listOwnedAgentNotifications({ id }),
      stranger.freezeAgent({ id }),
      stranger.unfreezeAgent({ id }),
      stranger.updateControls({ id, maxDailyPosts: 0 }),
      stranger.listApprovals({ id }),
      stranger.decideApproval({ id, approvalId, decision: 'approve' }),
      stranger.listAuditEntries({ id }),
      stranger.exportAuditLog({ id }),
      stranger.rotateAgentKey({ id, message: 'x', signature: '0x00' }),
    ]
    expect(await Promise.all(calls.map(refused))).toEqual(calls.map(() => '403 NOT_THE_OWNER'))
    expect(await refused(owner.getOwnedAgent({ id: 'nobody' }))).toBe('404 AGENT_NOT_FOUND')
    expect(await outcome(post('still free'))).toBe('done')
  })

  test('list the agent’s notifications without marking them as read', async () => {
    await bob.client.followAgent({ id: 'alice' })
    const { data } = await owner.listOwnedAgentNotifications({ id: 'alice' })
    expect(data).toMatchObject([{ type: 'FOLLOW', isRead: false, fromAgent: { username: 'bob' } }])
    expect((await alice.client.countUnreadNotifications()).count).toBe(1)
  })

  test('count the activity of each day, newest first', async () => {
    const { activity } = await owner.getOwnedAgentActivity({ id: 'alice', days: 3 })
    const today = server.clock.now().toISOString().slice(0, 10)
    expect(activity).toHaveLength(3)
    expect(activity[0]).toMatchObject({ date: today, posts: 1, replies: 0, tradedBNB: '0', earnedBNB: '0' })
    expect(activity[2]).toMatchObject({ posts: 0 })
  })
})

describe('freezing', () => {
  test('refuses every write from the next request on, and allows reads', async () => {
    const [tweet] = (await bob.client.listMyTweets()).data
    const id = tweet?.id ?? ''
    const controls = await owner.freezeAgent({ id: 'alice', reason: 'spamming' })
    expect(controls).toMatchObject({ frozenAt: expect.any(String), frozenReason: 'spamming' })
    const { client } = alice
    const writes = [
      client.createTweet({ content: 'x' }),
      client.createTweet({ content: '' }),
      client.likeTweet({ id }),
      client.repostTweet({ id }),
      client.followAgent({ id: 'bob' }),
      client.updateBio({ bio: 'x' }),
      client.regenerateKey(),
      client.deleteTweet({ id }),
    ]
    expect(await Promise.all(writes.map(refused))).toEqual(writes.map(() => '403 AGENT_FROZEN'))
    // The reason is a person's words: it has a member of its own, and no place in a sentence of ours.
    expect((await refusal(post())).message).toBe(errors.AGENT_FROZEN.message)
    expect((await client.getMe()).id).toBe(alice.id)
    expect((await client.getMyControls()).frozenReason).toBe('spamming')
    expect(await client.getHeartbeat()).toContain('This agent is frozen. Only its owner can unfreeze it')
  })

  test('is lifted only by the owner, and repeating either changes nothing', async () => {
    const { frozenAt } = await owner.freezeAgent({ id: 'alice' })
    expect((await owner.freezeAgent({ id: 'alice' })).frozenAt).toBe(frozenAt)
    await owner.unfreezeAgent({ id: 'alice' })
    expect((await owner.unfreezeAgent({ id: 'alice' })).frozenAt).toBeNull()
    expect(await outcome(post('free again'))).toBe('done')
  })

  test('outlives a new key', async () => {
    await owner.freezeAgent({ id: 'alice' })
    const { message } = await server
      .client()
      .createChallenge({ purpose: 'recover', walletAddress: alice.walletAddress })
    const signature = await alice.wallet.signMessage({ message })
    const { apiKey } = await server.client().recoverAgent({ message, signature })
    alice = { ...alice, apiKey, client: server.client({ apiKey }) }
    expect(await refused(post())).toBe('403 AGENT_FROZEN')
    await owner.unfreezeAgent({ id: 'alice' })
  })
})

describe('the allow-list', () => {
  test('refuses actions that are not on it, by the kind of tweet', async () => {
    const [target] = (await bob.client.listMyTweets()).data
    const parentTweetId = target?.id ?? ''
    await owner.updateControls({ id: 'alice', allowedActions: ['reply', 'follow'] })
    const { client } = alice
    expect(await outcome(client.createTweet({ content: 'a reply', parentTweetId }))).toBe('done')
    expect(await outcome(client.followAgent({ id: 'bob' }))).toBe('done')
    const refusals = [
      post(),
      client.createTweet({ content: '', type: 'REPOST', parentTweetId }),
      client.repostTweet({ id: parentTweetId }),
      client.likeTweet({ id: parentTweetId }),
      client.updateBio({ bio: 'x' }),
    ]
    expect(await Promise.all(refusals.map(refused))).toEqual(refusals.map(() => '403 ACTION_NOT_ALLOWED'))
    expect((await refusal(post())).message).toContain('Allowed: reply, follow')
    await owner.updateControls({ id: 'alice', allowedActions: ['repost'] })
    const quote = client.createTweet({ content: 'my own words', type: 'REPOST', parentTweetId })
    expect(await refused(quote)).toBe('403 ACTION_NOT_ALLOWED')
    await owner.updateControls({ id: 'alice', allowedActions: [] })
    expect(await refused(client.followAgent({ id: 'bob' }))).toBe('403 ACTION_NOT_ALLOWED')
    await lift()
  })

  test('accepts only known actions, and other rules within their bounds', async () => {
    const update = (changes: object) => owner.updateControls({ id: 'alice', ...changes })
    for (const [changes, path] of [
      [{ allowedActions: ['fly'] }, 'allowedActions.0'],
      [{ maxDailyPosts: -1 }, 'maxDailyPosts'],
      [{ maxDailyPosts: 1e12 }, 'maxDailyPosts'],
      [{ maxTradeBNB: '-1' }, 'maxTradeBNB'],
      [{ maxTradeBNB: '9'.repeat(80) }, 'maxTradeBNB'],
      [{ approveTradesAboveBNB: '1.0000000000000000001' }, 'approveTradesAboveBNB'],
    ] as const)
      expect((await refusal(update(changes))).details[0]?.path).toBe(path)
    await update({ maxTradeBNB: '9'.repeat(40), maxDailyTradeBNB: '0.000000000000000001' })
    expect((await owner.getOwnedAgent({ id: 'alice' })).controls.maxDailyTradeBNB).toBe('0.000000000000000001')
    await lift()
  })
})

describe('the cap on posts', () => {
  test('is exact under parallel calls, and resets at midnight UTC', async () => {
    await nextDay()
    await owner.updateControls({ id: 'alice', maxDailyPosts: 5 })
    const ends = await Promise.all(Array.from({ length: 12 }, (_, n) => outcome(post(`number ${n}`))))
    expect(ends.filter((end) => end === 'done')).toHaveLength(5)
    expect(ends.filter((end) => end === '403 CAP_REACHED')).toHaveLength(7)
    expect((await owner.getOwnedAgent({ id: 'alice' })).controls.postsToday).toBe(5)
    const { details } = await refusal(post())
    expect(details).toEqual([{ path: 'clearsAt', message: expect.stringMatching(/T00:00:00.000Z$/) }])
    await nextDay()
    expect(await outcome(post('a new day'))).toBe('done')
  })

  test('is not used up by failed posts, and not refilled by deleting', async () => {
    await nextDay()
    await owner.updateControls({ id: 'alice', maxDailyPosts: 2 })
    expect(await refused(alice.client.createTweet({ content: 're', parentTweetId: alice.id }))).toBe(
      '404 PARENT_TWEET_NOT_FOUND',
    )
    const { id } = await post('one')
    await alice.client.deleteTweet({ id })
    expect(await outcome(post('two'))).toBe('done')
    expect(await refused(post('three'))).toBe('403 CAP_REACHED')
    await lift()
  })
})

describe('approval of posts', () => {
  test('holds back posts after the free ones, and nobody can see them', async () => {
    await nextDay()
    await owner.updateControls({ id: 'alice', approvePostsAfter: 2 })
    const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => post(`held ${n}`)))
    expect(answers.filter((answer) => !isPending(answer))).toHaveLength(2)
    const waiting = answers.filter(isPending)
    expect(waiting).toHaveLength(3)
    expect((await published()).filter(({ content }) => content.startsWith('held'))).toHaveLength(2)
    for (const { id } of waiting) expect(await refused(alice.client.getTweet({ id }))).toBe('404 TWEET_NOT_FOUND')
    const { data, meta } = await owner.listApprovals({ id: 'alice', status: 'pending_approval' })
    expect(meta.total).toBe(3)
    expect(data.map(({ id }) => id).sort()).toEqual(waiting.map(({ id }) => id).sort())
    expect((await owner.getOwnedAgent({ id: 'alice' })).waitingApprovals).toBe(3)
    expect((await alice.client.listMyApprovals({ status: 'pending_approval' })).data.map(({ id }) => id)).toEqual(
      data.map(({ id }) => id),
    )
  })

  test('answers 202 with the approval, what happens next and where to look, also when repeated', async () => {
    const original = await bob.client.createTweet({ content: 'repeat me' })
    const key = { 'X-API-Key': alice.apiKey }
    for (const [path, body] of [
      ['/v1/tweets', '{"content":"held for a look"}'],
      [`/v1/tweets/${original.id}/repost`, ''],
    ] as const) {
      const headers = {
        ...key,
        'Content-Type': 'application/json',
        'Idempotency-Key': `held ${path}`.replaceAll(' ', '-'),
      }
      const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body })
      const answer = (await response.json()) as PendingApproval
      expect([response.status, answer.status, answer.tweet?.id]).toEqual([202, 'pending_approval', null])
      expect(answer.message).toContain(answer.expiresAt)
      expect(response.headers.get('location')).toBe(answer.url)
      const { message: _, url, ...approval } = answer
      const found = await fetch(url.replace(server.config.webUrl, server.url), { headers: key })
      expect(await found.json()).toEqual(approval)
      const again = await fetch(`${server.url}${path}`, { method: 'POST', headers, body })
      expect([again.status, await again.json(), again.headers.get('location')]).toEqual([202, answer, answer.url])
      expect(await refused(bob.client.getMyApproval({ approvalId: answer.id }))).toBe('404 APPROVAL_NOT_FOUND')
      await owner.decideApproval({ id: 'alice', approvalId: answer.id, decision: 'approve' })
      const { status, tweet } = await alice.client.getMyApproval({ approvalId: answer.id })
      expect(status).toBe('approved')
      expect((await alice.client.getTweet({ id: tweet?.id ?? '' })).agentId).toBe(alice.id)
    }
  })

  test('publishes an approved post as the agent, once', async () => {
    const [first] = (await owner.listApprovals({ id: 'alice', status: 'pending_approval' })).data
    const approvalId = first?.id ?? ''
    const decide = () => owner.decideApproval({ id: 'alice', approvalId, decision: 'approve', note: 'fine' })
    const ends = await Promise.allSettled([decide(), decide(), decide()])
    const done = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
    expect(done).toHaveLength(1)
    expect(done[0]).toMatchObject({ status: 'approved', note: 'fine', decidedAt: expect.any(String) })
    const tweet = await bob.client.getTweet({ id: done[0]?.tweet?.id ?? '' })
    expect(tweet).toMatchObject({ content: first?.tweet?.content, agentId: alice.id })
    expect((await published())[0]?.id).toBe(tweet.id)
    expect(await refused(decide())).toBe('409 APPROVAL_DECIDED')
  })

  test('never publishes a post that was rejected or has expired', async () => {
    const [rejected, expired] = (await owner.listApprovals({ id: 'alice', status: 'pending_approval' })).data
    const decide = (approvalId = '', decision: 'approve' | 'reject' = 'approve') =>
      owner.decideApproval({ id: 'alice', approvalId, decision })
    expect((await decide(rejected?.id, 'reject')).status).toBe('rejected')
    expect(await refused(decide(rejected?.id))).toBe('409 APPROVAL_DECIDED')
    await nextDay()
    await expireApprovals(server.deps)
    expect((await log())[0]).toMatchObject({ actor: 'system', action: 'expireApproval', target: expired?.id })
    expect((await owner.listApprovals({ id: 'alice', status: 'expired' })).data.map(({ id }) => id)).toEqual([
      expired?.id,
    ])
    expect(await refused(decide(expired?.id))).toBe('409 APPROVAL_DECIDED')
    expect(await refused(decide(alice.id))).toBe('404 APPROVAL_NOT_FOUND')
    const contents = (await published()).map(({ content }) => content)
    expect(contents).not.toContain(rejected?.tweet?.content)
    expect(contents).not.toContain(expired?.tweet?.content)
  })

  test('refuses at once what could never be posted, and fails the approval of what no longer can be', async () => {
    await owner.updateControls({ id: 'alice', approvePostsAfter: 0 })
    expect(await refused(alice.client.createTweet({ content: 're', parentTweetId: alice.id }))).toBe(
      '404 PARENT_TWEET_NOT_FOUND',
    )
    const parent = await bob.client.createTweet({ content: 'soon gone' })
    const waiting = await alice.client.createTweet({ content: 're', parentTweetId: parent.id })
    await bob.client.deleteTweet({ id: parent.id })
    const decision = { id: 'alice', approvalId: waiting.id, decision: 'approve' } as const
    expect(await refused(owner.decideApproval(decision))).toBe('404 PARENT_TWEET_NOT_FOUND')
    await owner.freezeAgent({ id: 'alice' })
    expect(await refused(owner.decideApproval(decision))).toBe('403 AGENT_FROZEN')
    await owner.unfreezeAgent({ id: 'alice' })
    await owner.decideApproval({ ...decision, decision: 'reject' })
  })

  test('applies to private tweets and reposts as well', async () => {
    const original = await bob.client.createTweet({ content: 'worth repeating' })
    const quiet = await alice.client.createTweet({ content: 'for holders', visibility: 'private' })
    const repost = await alice.client.repostTweet({ id: original.id })
    expect([quiet, repost].map(isPending)).toEqual([true, true])
    for (const { id } of [quiet, repost])
      expect((await owner.decideApproval({ id: 'alice', approvalId: id, decision: 'approve' })).status).toBe('approved')
    expect((await bob.client.getTweet({ id: original.id })).repostsCount).toBe(1)
    expect((await published()).map(({ content }) => content)).not.toContain('for holders')
  })

  test('respects the cap, and limits the number of pending approvals', async () => {
    await nextDay()
    await owner.updateControls({ id: 'alice', maxDailyPosts: 1 })
    const [first, second] = [await post('first in line'), await post('second in line')]
    const approve = (approvalId: string) => owner.decideApproval({ id: 'alice', approvalId, decision: 'approve' })
    expect(await outcome(approve(first.id))).toBe('done')
    expect(await refused(approve(second.id))).toBe('403 CAP_REACHED')
    expect(await refused(post('too many'))).toBe('403 CAP_REACHED')
    await owner.updateControls({ id: 'alice', maxDailyPosts: null })
    const ends = await Promise.all(Array.from({ length: 52 }, (_, n) => outcome(post(`queue ${n}`))))
    expect(ends.filter((end) => end === 'done')).toHaveLength(49)
    expect((await owner.getOwnedAgent({ id: 'alice' })).waitingApprovals).toBe(50)
    await lift()
  })
})

describe('live', () => {
  test('only the agent gets the events of its freezing and of its approval requests', async () => {
    await nextDay()
    await server.deps.orderer.settle()
    const [own, others] = await Promise.all([alice, bob].map(({ client }) => listen(client, ['notifications'])))
    await owner.freezeAgent({ id: 'alice', reason: 'a word' })
    await owner.unfreezeAgent({ id: 'alice' })
    await owner.updateControls({ id: 'alice', approvePostsAfter: 0 })
    const { id: approvalId } = await post('may I?')
    await owner.decideApproval({ id: 'alice', approvalId, decision: 'reject' })
    const events = (await own?.take(4)) ?? []
    expect(events.map(({ type }) => type)).toEqual([
      'agent.frozen',
      'agent.unfrozen',
      'approval.requested',
      'approval.decided',
    ])
    expect(events[0]?.data).toMatchObject({ agentId: alice.id, frozenReason: 'a word' })
    expect(events[3]?.data).toMatchObject({ id: approvalId, status: 'rejected' })
    expect(others?.events).toEqual([])
    await Promise.all([own?.stop(), others?.stop()])
    await lift()
  })
})

describe('the audit log', () => {
  test('has every action, refusal and approval request, with its actor', async () => {
    await nextDay()
    const { id } = await post('for the record')
    await owner.freezeAgent({ id: 'alice', reason: 'a look' })
    await refusal(post('not now'))
    await owner.unfreezeAgent({ id: 'alice' })
    await owner.updateControls({ id: 'alice', approvePostsAfter: 0, maxDailyPosts: 7 })
    const waiting = await post('asked for')
    const lines = (await log()).slice(0, 6).map(({ actor, action, outcome, code, target }) => ({
      actor,
      action,
      outcome,
      code,
      target,
    }))
    const line = (actor: string, action: string, more: object = {}) => ({
      actor,
      action,
      outcome: 'done',
      code: null,
      target: null,
      ...more,
    })
    expect(lines).toEqual([
      line('agent', 'createTweet', { outcome: 'pending_approval', target: waiting.id }),
      line('owner', 'updateControls'),
      line('owner', 'unfreezeAgent'),
      line('agent', 'createTweet', { outcome: 'refused', code: 'AGENT_FROZEN' }),
      line('owner', 'freezeAgent'),
      line('agent', 'createTweet', { target: id }),
    ])
    const [, changed] = await log()
    expect(changed?.summary).toBe('Set maxDailyPosts = 7, approvePostsAfter = 0')
    await lift()
  })

  test('has every kind of write once, in the transaction of the write', async () => {
    const [target] = (await bob.client.listMyTweets()).data
    const id = target?.id ?? ''
    const before = (await owner.listAuditEntries({ id: 'alice' })).meta.total
    const { client } = alice
    await client.likeTweet({ id })
    await client.unlikeTweet({ id })
    await client.unfollowAgent({ id: 'bob' })
    await client.updateBio({ bio: 'recorded' })
    const lines = await log()
    expect(lines.slice(0, 4).map(({ action }) => action)).toEqual([
      'updateBio',
      'unfollowAgent',
      'unlikeTweet',
      'likeTweet',
    ])
    expect((await owner.listAuditEntries({ id: 'alice' })).meta.total - before).toBe(4)
    const sent = await collectStatements(() => client.updateBio({ bio: 'recorded again' }))
    const steps = sent.flatMap((text) => /^begin|^commit|update agent |into audit_entry/i.exec(text.trim()) ?? [])
    expect(steps).toEqual(['begin', 'update agent ', 'into audit_entry', 'commit'])
  })

  test('does not record a rolled-back write as done', async () => {
    const before = (await owner.listAuditEntries({ id: 'alice' })).meta.total
    await refusal(alice.client.followAgent({ id: 'alice' }))
    await refusal(alice.client.createTweet({ content: '', parentTweetId: alice.id }))
    expect((await owner.listAuditEntries({ id: 'alice' })).meta.total).toBe(before)
  })

  test('cannot be updated, deleted from or truncated, not even by the service itself', async () => {
    const { db } = server.deps
    for (const attempt of [
      sql`update audit_entry set summary = 'nothing happened'`,
      sql`delete from audit_entry where agent_id = ${alice.id}`,
      sql`truncate audit_entry`,
    ])
      await expect(db.run(attempt)).rejects.toThrow('append-only')
    // Where words may be taken out, nothing else may be changed.
    for (const attempt of [
      sql`update audit_entry set outcome = 'refused'`,
      sql`update audit_entry set created_at = now()`,
      sql`update audit_entry set agent_id = ${bob.id} where agent_id = ${alice.id}`,
      sql`delete from audit_entry where agent_id = ${alice.id}`,
    ])
      await expect(
        db.transaction(async (db) => {
          await allowErasing(db)
          await db.run(attempt)
        }),
      ).rejects.toThrow('append-only')
  })

  test('is read by page, cursor, time, actor and action', async () => {
    const { data, meta } = await owner.listAuditEntries({ id: 'alice', limit: 2 })
    const next = await owner.listAuditEntries({ id: 'alice', limit: 2, cursor: meta.nextCursor ?? '' })
    const all = await log()
    expect([...data, ...next.data].map(({ id }) => id)).toEqual(all.slice(0, 4).map(({ id }) => id))
    const owners = (await owner.listAuditEntries({ id: 'alice', actor: 'owner', action: 'freezeAgent' })).data
    expect(new Set(owners.map(({ action }) => action))).toEqual(new Set(['freezeAgent']))
    const since = all[3]?.createdAt ?? ''
    expect((await owner.listAuditEntries({ id: 'alice', since })).meta.total).toBe(4)
    expect((await owner.listAuditEntries({ id: 'alice', until: since })).meta.total).toBe(
      (await owner.listAuditEntries({ id: 'alice' })).meta.total - 4,
    )
  })

  test('is exported completely as CSV, oldest first, safe for spreadsheets', async () => {
    await alice.client.createTweet({ content: '=HYPERLINK("https://evil.example"), a "quoted" word' })
    await owner.freezeAgent({ id: 'alice', reason: '=1+1' })
    await owner.unfreezeAgent({ id: 'alice' })
    const csv = await owner.exportAuditLog({ id: 'alice' })
    const lines = csv.trimEnd().split('\r\n')
    const { total } = (await owner.listAuditEntries({ id: 'alice' })).meta
    expect(lines[0]).toBe(
      'id,createdAt,agentId,actor,action,outcome,code,target,summary,requestId,wordsDigest,wordsCharacters',
    )
    expect(lines).toHaveLength(total + 1)
    expect(lines.at(-1)).toContain('unfreezeAgent')
    expect(csv).not.toMatch(/HYPERLINK|1\+1/)
    expect(csv).not.toMatch(/(^|,)"?[=+@-]/m)
    const filtered = await owner.exportAuditLog({ id: 'alice', actor: 'owner' })
    expect(filtered).not.toContain(',agent,')
  })
})

describe('replacing a key', () => {
  const challenge = (username?: string) =>
    server
      .client()
      .createChallenge({ purpose: 'recover', walletAddress: alice.walletAddress, ...(username && { username }) })

  test('requires a login and a fresh signature of the wallet; the new key is shown once', async () => {
    const { message } = await challenge('alice')
    const signature = await alice.wallet.signMessage({ message })
    const { apiKey } = await owner.rotateAgentKey({ id: 'alice', message, signature })
    expect(await refused(alice.client.getMe())).toBe('401 INVALID_API_KEY')
    alice = { ...alice, apiKey, client: server.client({ apiKey }) }
    expect((await alice.client.getMe()).id).toBe(alice.id)
    expect(await refused(owner.rotateAgentKey({ id: 'alice', message, signature }))).toBe('400 CHALLENGE_INVALID')
    const [line] = await log()
    expect(line).toMatchObject({ actor: 'owner', action: 'rotateAgentKey' })
    expect(JSON.stringify(await log())).not.toContain(apiKey)
  })

  test('is refused with another wallet’s signature, another agent’s challenge or none', async () => {
    const { message } = await challenge()
    const foreign = await bob.wallet.signMessage({ message })
    expect(await refused(owner.rotateAgentKey({ id: 'alice', message, signature: foreign }))).toBe(
      '400 INVALID_SIGNATURE',
    )
    const other = await challenge('another_agent')
    const signature = await alice.wallet.signMessage({ message: other.message })
    expect(await refused(owner.rotateAgentKey({ id: 'alice', message: other.message, signature }))).toBe(
      '400 CHALLENGE_INVALID',
    )
    const bobs = await server.client().createChallenge({ purpose: 'recover', walletAddress: bob.walletAddress })
    const signed = await bob.wallet.signMessage({ message: bobs.message })
    expect(await refused(owner.rotateAgentKey({ id: 'alice', message: bobs.message, signature: signed }))).toBe(
      '400 INVALID_SIGNATURE',
    )
    expect((await alice.client.getMe()).id).toBe(alice.id)
  })
})
