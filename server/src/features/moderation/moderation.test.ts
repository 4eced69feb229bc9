import type { Label } from '@rookery/api'
import type { Client } from '@rookery/sdk'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { findMiscounts } from '../../../test/random-actions.js'
import { outcome, refusal, refused } from '../../../test/refusal.js'
import { createWallet, type SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { idAt } from '../../foundation/db/id-at.js'

const wallet = createWallet()
const server = await startServer({ env: { MODERATOR_WALLETS: `${createWallet().address}, ${wallet.address}` } })
afterAll(() => server.stop())

let ann: SeededAgent
let ben: SeededAgent
let cat: SeededAgent
let moderator: Client

beforeAll(async () => {
  ;({ ann, ben, cat } = await server.seed.agents('ann', 'ben', 'cat'))
})
// Tests move the clock, and a session's token lasts for minutes.
beforeEach(async () => {
  moderator = (await server.seed.signIn(wallet)).client
})

const about = (targetType: 'tweet' | 'agent' | 'skill' | 'file', targetId: string) => ({ targetType, targetId })
const spam = (id: string) => ({ ...about('tweet', id), reason: 'spam' as const })
const post = (agent: SeededAgent, content: string, more: object = {}) => agent.client.createTweet({ content, ...more })

/** The open case about a target. */
async function findCase(id: string) {
  const { data } = await moderator.listModerationCases({ limit: 100 })
  return data.find(({ targetId }) => targetId === id)
}

describe('moderators', () => {
  test('are those who have signed in with a wallet that the operator named, and nobody else', async () => {
    const queue = (client: Client) => outcome(client.listModerationCases())
    expect(await queue(moderator)).toBe('done')
    const owner = (await server.seed.login('ann')).client
    for (const client of [(await server.seed.signIn()).client, owner])
      expect(await queue(client)).toBe('403 MODERATOR_REQUIRED')
    for (const client of [server.client(), ann.client]) expect(await queue(client)).toBe('401 UNAUTHENTICATED')
    const { id } = await post(ann, 'mine')
    const hide = { ...about('tweet', id), decision: 'hide' as const, reason: 'so' }
    for (const client of [owner, (await server.seed.signIn()).client])
      expect(await refused(client.createDecision(hide))).toBe('403 MODERATOR_REQUIRED')
  })

  test('get 400 for what makes no sense and 409 for what is already so', async () => {
    const { id } = await post(ann, 'about sense')
    const decide = (input: object) =>
      refused(moderator.createDecision({ ...about('tweet', id), reason: 'so', ...input } as never))
    expect(await decide({ decision: 'suspend' })).toMatch(/^400 INVALID_INPUT/)
    expect(await decide({ decision: 'label' })).toMatch(/^400 INVALID_INPUT/)
    expect(await decide({ decision: 'hide', label: 'spam' })).toMatch(/^400 INVALID_INPUT/)
    expect(await decide({ decision: 'hide', until: '2020-01-01T00:00:00.000Z' })).toMatch(/^400 INVALID_INPUT/)
    expect(await decide({ decision: 'restore' })).toBe('409 ALREADY_DECIDED')
    expect(await decide({ decision: 'dismiss' })).toBe('409 ALREADY_DECIDED')
    expect(await decide({ decision: 'hide', targetId: 'no-such-tweet' })).toBe('404 TWEET_NOT_FOUND')
    expect(await decide({ decision: 'hide', ...about('file', '../../etc/passwd') })).toBe('404 FILE_NOT_FOUND')
    await moderator.createDecision({ ...about('tweet', id), decision: 'hide', reason: 'so' })
    expect(await decide({ decision: 'hide' })).toBe('409 ALREADY_DECIDED')
  })

  test('cannot change a decision', async () => {
    const { pool } = server.deps.database
    for (const change of ['update decision set reason = reason', 'delete from decision', 'truncate decision cascade'])
      await expect(pool.query(change)).rejects.toThrow('never changes')
  })
})

describe('reports', () => {
  test('are of what the caller can see, never of itself, and one while it is open', async () => {
    const secret = await post(ben, 'for holders', { visibility: 'private' })
    const { id } = await post(ben, 'open')
    expect(await refused(ann.client.createReport(spam(secret.id)))).toBe('403 HOLDERS_ONLY')
    expect(await refused(ben.client.createReport(spam(id)))).toBe('400 CANNOT_REPORT_SELF')
    expect(await refused(server.client().createReport(spam(id)))).toBe('401 UNAUTHENTICATED')
    expect(await refused(ann.client.createReport(spam('nothing')))).toBe('404 TWEET_NOT_FOUND')
    const first = await ann.client.createReport({ ...spam(id), text: 'look at this' })
    expect(await ann.client.createReport({ ...spam(id), reason: 'scam' })).toEqual(first)
    expect((await ann.client.listReports()).data).toEqual([first])
    expect((await cat.client.listReports()).data).toEqual([])
    // Whatever their number, reports hide nothing.
    expect(await outcome(server.client().getTweet({ id }))).toBe('done')
  })

  test('are possible where a block parts reporter and author, whoever blocked, of what could be seen without it', async () => {
    const { ursa, vito, wren } = await server.seed.agents('ursa', 'vito', 'wren')
    await ursa.client.blockAgent({ id: 'vito' })
    await hold(server, wren, ursa, 1)
    await wren.client.blockAgent({ id: 'ursa' })
    const open = await post(ursa, 'what a block hides')
    const secret = await post(ursa, 'what a block hides from holders', { visibility: 'private' })
    const skill = await ursa.client.createSkill({ name: 'Parted', content: '# Parted', type: 'skill', isActive: true })
    await server.drain()
    const byVito = await post(vito, 'of the blocked one')
    for (const [{ client }, target] of [
      [vito, about('tweet', open.id)],
      [vito, about('skill', skill.id)],
      [vito, about('agent', 'ursa')],
      [ursa, about('tweet', byVito.id)],
      [wren, about('tweet', secret.id)],
    ] as const) {
      const report = await client.createReport({ ...target, reason: 'harassment' })
      expect(report).toMatchObject({ targetType: target.targetType, state: 'open' })
      expect(JSON.stringify(report)).not.toContain('block hides')
    }
    expect((await findCase(secret.id))?.excerpt).toContain('hides from holders')
    expect(await refused(vito.client.createReport(spam(secret.id)))).toBe('403 HOLDERS_ONLY')
    for (const client of [vito.client, wren.client])
      expect(await refused(client.getTweet({ id: open.id }))).toBe('404 TWEET_NOT_FOUND')
    await ursa.client.deleteSkill({ id: skill.id })
  })

  test('of one wallet count once, and those without a verified agent weigh less', async () => {
    const [quiet, loud] = [await post(ann, 'quiet'), await post(ann, 'loud')]
    const strangers = [await server.seed.signIn(), await server.seed.signIn(), await server.seed.signIn()]
    for (const { client } of strangers) await client.createReport(spam(loud.id))
    await ben.client.createReport(spam(quiet.id))
    await (await server.seed.login('ben')).client.createReport({ ...spam(quiet.id), reason: 'scam' })
    await (await server.seed.signIn(ben.wallet)).client.createReport(spam(quiet.id))
    const { data } = await moderator.listModerationCases({ targetType: 'tweet', limit: 100 })
    const cases = data.filter(({ targetId }) => [quiet.id, loud.id].includes(targetId))
    expect(cases.map(({ targetId, reportersCount }) => [targetId, reportersCount])).toEqual([
      [quiet.id, 1],
      [loud.id, 3],
    ])
    expect(cases[0]).toMatchObject({
      excerpt: 'quiet',
      agent: { username: 'ann' },
      reasons: [
        { reason: 'spam', count: 2 },
        { reason: 'scam', count: 1 },
      ],
    })
    const { reports } = await moderator.getModerationCase({ id: cases[0]?.id ?? '' })
    expect(reports.map(({ reporter }) => reporter?.username ?? null)).toEqual([null, null, 'ben'])
  })

  test('of wallets that cost nothing come in limited numbers from one network, and weigh less than one verified', async () => {
    const [flooded, quiet] = [await post(ann, 'flooded'), await post(ann, 'reported once')]
    const more: string[] = []
    for (let n = 0; n < 10; n += 1) more.push((await post(ann, `another ${n}`)).id)
    // A day after the reports of other tests.
    server.clock.advance(25 * 60 * 60_000)
    const first = (await server.seed.signIn()).client
    const strangers = [first]
    for (let n = 1; n < 6; n += 1) strangers.push((await server.seed.signIn()).client)
    for (const client of strangers)
      for (const id of [flooded.id, ...more.slice(0, 9)]) await client.createReport(spam(id))
    // Nothing is left for this network: neither for the wallets that reported, nor for a fresh one or a fresh agent.
    const late = more.at(-1) ?? ''
    const { pat } = await server.seed.pending('pat')
    for (const client of [first, (await server.seed.signIn()).client, pat.client])
      expect(await refused(client.createReport(spam(late)))).toBe('429 REPORT_LIMIT')
    // What is open is returned all the same, and whoever has a verified agent reports on.
    expect(await outcome(first.createReport(spam(flooded.id)))).toBe('done')
    for (const client of [ben.client, (await server.seed.signIn(ben.wallet)).client])
      expect(await outcome(client.createReport(spam(quiet.id)))).toBe('done')
    moderator = (await server.seed.signIn(wallet)).client
    const { data } = await moderator.listModerationCases({ targetType: 'tweet', limit: 100 })
    const cases = data.filter(({ targetId }) => [flooded.id, quiet.id].includes(targetId))
    expect(cases.map(({ targetId, reportersCount }) => [targetId, reportersCount])).toEqual([
      [quiet.id, 1],
      [flooded.id, 6],
    ])
    server.clock.advance(25 * 60 * 60_000)
    expect(await outcome((await server.seed.signIn()).client.createReport(spam(late)))).toBe('done')
  })

  test('come in limited numbers, from one agent and from all agents of a wallet together', async () => {
    const { dan } = await server.seed.agents('dan')
    const ids: string[] = []
    for (const n of [1, 2, 3]) ids.push((await post(ann, `flood ${n}`)).id)
    const [first = '', second = '', third = ''] = ids
    await dan.client.createReport(spam(first))
    /** As if the caller had made more reports like its first. */
    const repeat = (reporter: string, times: number) =>
      server.deps.db.run(sql`
        insert into report (id, case_id, reporter, party, target_type, target_id, reason, text, state, created_at)
        select gen_random_uuid(), case_id, ${reporter}, party, 'tweet', 'earlier ' || n, reason, text, 'open', created_at
        from report, generate_series(1, ${times}) n where reporter = ${`agent:${dan.id}`} and target_id = ${first}`)
    await repeat(`agent:${dan.id}`, 18)
    expect(await outcome(dan.client.createReport(spam(second)))).toBe('done')
    expect(await refused(dan.client.createReport(spam(third)))).toBe('429 REPORT_LIMIT')
    // Room is where the cap was hit: an older report of the same wallet makes none for this agent.
    const anHourAgo = new Date(server.clock.now().getTime() - 3_600_000)
    await server.deps.db.run(sql`
      insert into report (id, case_id, reporter, party, target_type, target_id, reason, text, state, created_at)
      select gen_random_uuid(), case_id, 'owner:earlier', party, 'tweet', 'earlier', reason, text, 'open', ${anHourAgo}
      from report where reporter = ${`agent:${dan.id}`} and target_id = ${first}`)
    expect((await refusal(dan.client.createReport(spam(third)))).retryAfterSeconds).toBe(24 * 60 * 60)
    // The one that is open is returned all the same.
    expect(await outcome(dan.client.createReport(spam(first)))).toBe('done')
    const [asOwner, asWallet] = [(await server.seed.login('dan')).client, (await server.seed.signIn(dan.wallet)).client]
    await repeat('owner:of dan', 18)
    expect(await outcome(asOwner.createReport(spam(third)))).toBe('done')
    for (const client of [asOwner, asWallet])
      expect(await refused(client.createReport(spam(second)))).toBe('429 REPORT_LIMIT')
    server.clock.advance(25 * 60 * 60_000)
    expect(await outcome(dan.client.createReport(spam(third)))).toBe('done')
  })

  test('of private content show moderators what was reported, and nothing else does', async () => {
    await server.deps.db.run(sql`
      insert into share_holding (subject, holder, amount, ever_bought) values (${ben.subject}, ${cat.walletAddress}, 1, true)`)
    const [told, kept] = [
      await post(ben, 'told to you', { visibility: 'private' }),
      await post(ben, 'kept', { visibility: 'private' }),
    ]
    await cat.client.createReport(spam(told.id))
    expect(await findCase(told.id)).toMatchObject({ excerpt: 'told to you', isPrivate: true })
    expect(await refused(moderator.getTweet({ id: told.id }))).toBe('403 HOLDERS_ONLY')
    await moderator.createDecision({ ...about('tweet', kept.id), decision: 'hide', reason: 'seen elsewhere' })
    const { data } = await ben.client.listModerationNotices()
    await ben.client.createAppeal({ decisionId: data[0]?.id ?? '', text: 'why?' })
    expect(await findCase(kept.id)).toMatchObject({ excerpt: '', isPrivate: true })
    expect(data[0]).toMatchObject({ excerpt: 'kept' })
  })
})

describe('a decision', () => {
  test('is told to the one concerned and to reporters, is in the audit log, and closes the case', async () => {
    const { id } = await post(ann, 'buy now')
    for (const agent of [ben, cat]) await agent.client.createReport(spam(id))
    const found = await findCase(id)
    const listener = await server.listen(ann.client, ['notifications'])
    const made = await moderator.createDecision({
      ...about('tweet', id),
      decision: 'label',
      label: 'spam',
      reason: 'posted in bulk',
      note: 'third time',
    })
    const [event] = await listener.take(1)
    await listener.stop()
    expect(event).toMatchObject({
      type: 'notification.created',
      data: {
        type: 'MODERATION',
        fromAgent: null,
        decision: { id: made.id, reason: 'posted in bulk', role: 'concerned' },
      },
    })
    expect(JSON.stringify(event)).not.toContain('third time')
    for (const agent of [ben, cat]) {
      const { data } = await agent.client.listNotifications({ limit: 5 })
      const [first] = (await agent.client.listNotifications()).data
      expect(data[0]).toEqual(first)
      expect(first).toMatchObject({
        type: 'MODERATION',
        decision: { role: 'reporter', reason: 'Your report was acted on.' },
      })
      expect((await agent.client.listReports({ limit: 1 })).data[0]).toMatchObject({ state: 'acted', targetId: id })
    }
    expect(await findCase(id)).toBeUndefined()
    const owner = (await server.seed.login('ann')).client
    const audit = await owner.listAuditEntries({ id: 'ann', actor: 'operator', limit: 1 })
    expect(audit.data[0]).toMatchObject({ action: 'addLabel', target: id })
    const { history, status } = await moderator.getModerationCase({ id: found?.id ?? '' })
    expect([status, history.map(({ note, decidedBy }) => [note, decidedBy])]).toEqual([
      'closed',
      [['third time', wallet.address.toLowerCase()]],
    ])
    // A new report opens a new case.
    await ben.client.createReport(spam(id))
    await moderator.createDecision({ ...about('tweet', id), decision: 'dismiss', reason: 'decided before' })
    expect((await ben.client.listReports({ limit: 1 })).data[0]?.state).toBe('dismissed')
    expect((await ann.client.listModerationNotices({ limit: 1 })).data[0]?.id).toBe(made.id)
  })

  test('ends by itself at its time, unless it was undone and made anew', async () => {
    const [one, two] = [await post(cat, 'for a day'), await post(cat, 'for longer')]
    const until = new Date(server.clock.now().getTime() + 60_000).toISOString()
    const decide = (id: string, decision: 'hide' | 'restore', more: object = {}) =>
      moderator.createDecision({ ...about('tweet', id), decision, reason: 'so', ...more })
    for (const { id } of [one, two]) await decide(id, 'hide', { until })
    await decide(two.id, 'restore')
    await decide(two.id, 'hide')
    server.clock.advance(120_000)
    await server.drain()
    expect(await outcome(server.client().getTweet({ id: one.id }))).toBe('done')
    expect(await refused(server.client().getTweet({ id: two.id }))).toBe('403 TAKEN_DOWN')
    expect((await cat.client.listModerationNotices({ limit: 1 })).data[0]).toMatchObject({
      decision: 'restore',
      targetId: one.id,
    })
  })

  test('that gives something back leaves open reports open', async () => {
    const { id } = await post(cat, 'labelled for a minute')
    const until = new Date(server.clock.now().getTime() + 60_000).toISOString()
    const label = (more: object = {}) =>
      moderator.createDecision({ ...about('tweet', id), decision: 'label', label: 'spam', reason: 'so', ...more })
    const stateOf = async () => (await ann.client.listReports({ limit: 1 })).data[0]
    await label({ until })
    await ann.client.createReport({ ...spam(id), reason: 'scam' })
    server.clock.advance(120_000)
    await server.drain()
    expect((await cat.client.getTweet({ id })).labels).toEqual([])
    expect(await stateOf()).toMatchObject({ targetId: id, state: 'open' })
    moderator = (await server.seed.signIn(wallet)).client
    const again = await label({ label: 'scam' })
    expect(await stateOf()).toMatchObject({ targetId: id, state: 'acted' })
    await ann.client.createReport(spam(id))
    const appeal = await cat.client.createAppeal({ decisionId: again.id, text: 'It is none.' })
    await moderator.answerAppeal({ id: appeal.id, outcome: 'overturn', reason: 'indeed' })
    expect((await cat.client.getTweet({ id })).labels).toEqual([])
    expect([(await stateOf())?.state, (await findCase(id))?.reportersCount]).toEqual(['open', 1])
  })

  test('about a tweet is between moderators and its author: those who reposted it read neither reason nor decision', async () => {
    const { id } = await post(ann, 'soon to be gone')
    await ben.client.repostTweet({ id })
    const repost = await server.deps.db.one<{ id: string }>(sql`select id from tweet where parent_id = ${id}`)
    await moderator.createDecision({ ...about('tweet', id), decision: 'hide', reason: 'for ann alone' })
    const own = await server.deps.db.one<{ withheld: object }>(sql`select withheld from tweet where id = ${repost.id}`)
    expect(own.withheld).toEqual({
      audience: null,
      original: { reason: 'What it reposts was taken down.', decisionId: null },
    })
  })

  test('to hide something leaves likes and reposts of it to be taken back, and shows no counts', async () => {
    const { id } = await post(ann, 'liked and hidden')
    const skill = await ann.client.createSkill({ name: 'Liked', content: '# Liked', type: 'skill', isActive: true })
    await server.drain()
    for (const { client } of [ben, cat]) {
      await client.likeTweet({ id })
      await client.repostTweet({ id })
      await client.likeSkill({ id: skill.id })
    }
    const hide = (targetType: 'tweet' | 'skill', targetId: string) =>
      moderator.createDecision({ ...about(targetType, targetId), decision: 'hide', reason: 'so' })
    await hide('tweet', id)
    await hide('skill', skill.id)
    expect(await ben.client.unlikeTweet({ id })).toEqual({ liked: false, likesCount: 0 })
    expect(await ben.client.undoRepost({ id })).toEqual({ reposted: false, repostsCount: 0 })
    expect(await ben.client.unlikeSkill({ id: skill.id })).toEqual({ id: skill.id, liked: false, likeCount: 0 })
    expect(await refused(ben.client.unlikeTweet({ id }))).toBe('403 TAKEN_DOWN')
    expect(await refused(ben.client.undoRepost({ id }))).toBe('403 TAKEN_DOWN')
    expect(await refused(ben.client.unlikeSkill({ id: skill.id }))).toBe('403 TAKEN_DOWN')
    const restore = { decision: 'restore' as const, reason: 'so' }
    await moderator.createDecision({ ...about('tweet', id), ...restore })
    await moderator.createDecision({ ...about('skill', skill.id), ...restore })
    expect(await server.client().getTweet({ id })).toMatchObject({ likesCount: 1, repostsCount: 1 })
    expect((await server.client().getSkill({ id: skill.id })).likeCount).toBe(1)
    expect(await findMiscounts(server.deps.database.pool)).toEqual([])
    await ann.client.deleteSkill({ id: skill.id })
  })

  test('that meets the notifications about a tweet leaves none that is counted and not shown', async () => {
    const { lou } = await server.seed.agents('lou')
    await lou.client.followAgent({ id: 'ann' })
    const { id } = await post(ann, 'news for lou')
    await server.drain()
    const unread = async () => (await lou.client.countUnreadNotifications()).count
    expect(await unread()).toBe(1)
    await moderator.createDecision({ ...about('tweet', id), decision: 'hide', reason: 'so' })
    await server.drain()
    expect(await unread()).toBe(0)
    // As if the fan-out had been committed only now, with the audience that it had read before.
    await server.deps.db.run(
      sql`update notification set audience = null where agent_id = ${lou.id} and tweet_id = ${id}`,
    )
    expect(await unread()).toBe(1)
    server.clock.advance(60_000)
    await server.drain()
    expect(await unread()).toBe(0)
  })
})

describe('labels', () => {
  const label = (
    type: 'tweet' | 'agent' | 'skill',
    id: string,
    label: Label,
    decision: 'label' | 'unlabel' = 'label',
  ) => moderator.createDecision({ ...about(type, id), decision, label, reason: 'so' })

  test('show at once on every page, and callers leave out what has them', async () => {
    const { lea } = await server.seed.agents('lea')
    const [marked, plain] = [await post(lea, 'a marked trombone'), await post(lea, 'a plain trombone')]
    const skill = await lea.client.createSkill({ name: 'Trombones', content: '# How to slide', type: 'skill' })
    await server.drain()
    const shown = async (client: Client, more: object = {}) =>
      (await client.listTweets({ mode: 'new', limit: 100, ...more })).data.find(({ id }) => id === marked.id)?.labels
    for (const client of [ben.client, server.client()]) expect(await shown(client)).toEqual([])
    await label('tweet', marked.id, 'spam')
    await label('skill', skill.id, 'malicious')
    for (const client of [ben.client, server.client()]) {
      expect(await shown(client)).toEqual(['spam'])
      for (const excludeLabels of ['spam', 'scam, spam', 'all'])
        expect(await shown(client, { excludeLabels })).toBeUndefined()
      expect(await shown(client, { excludeLabels: 'scam' })).toEqual(['spam'])
    }
    const lists = (client: Client, excludeLabels: string): Promise<{ data: { id: string }[] }>[] => [
      client.listTweets({ mode: 'trending', limit: 100, excludeLabels }),
      client.listTweets({ mode: 'for_you', limit: 100, excludeLabels }),
      client.listTweets({ mode: 'new', search: 'trombone', excludeLabels }),
      client.searchTweets({ q: 'trombone', excludeLabels }),
    ]
    for (const list of lists(ben.client, 'all')) {
      const ids = (await list).data.map(({ id }) => id)
      expect([ids.includes(marked.id), ids.includes(plain.id)]).toEqual([false, true])
    }
    const skills = async (excludeLabels: string) => (await ben.client.listSkills({ excludeLabels })).data.length
    expect([await skills('spam'), await skills('malicious')]).toEqual([1, 0])
    // A label of the author counts for all of its tweets and items.
    await label('agent', lea.id, 'scam')
    expect((await ben.client.getAgent({ identifier: 'lea' })).labels).toEqual(['scam'])
    for (const list of lists(ben.client, 'scam')) expect((await list).data.map(({ id }) => id)).not.toContain(plain.id)
    expect(await skills('scam')).toBe(0)
    const names = async (excludeLabels?: string) => {
      const more = excludeLabels === undefined ? {} : { excludeLabels }
      const pages = [
        await ben.client.listAgents({ limit: 100, ...more }),
        await ben.client.listAgents({ search: 'lea', ...more }),
        await ben.client.listAgentSummaries({ limit: 100, ...more }),
        await ben.client.listTrendingAgents({ limit: 100, search: 'lea', ...more }),
      ]
      return pages.map(({ data }) => data.some(({ username }) => username === 'lea'))
    }
    expect([await names(), await names('scam')]).toEqual([Array(4).fill(true), Array(4).fill(false)])
    await label('tweet', marked.id, 'spam', 'unlabel')
    await label('agent', lea.id, 'scam', 'unlabel')
    expect(await shown(ben.client, { excludeLabels: 'all' })).toEqual([])
  })

  test('that do not exist are refused', async () => {
    for (const call of [
      (client: Client) => client.listTweets({ excludeLabels: 'nonsense' }),
      (client: Client) => client.listAgents({ excludeLabels: 'spam,nonsense' }),
      (client: Client) => client.listSkills({ excludeLabels: 'all,spam' }),
      (client: Client) => client.searchTweets({ q: 'a', excludeLabels: 'SPAM' }),
    ])
      expect(await refused(call(ben.client))).toMatch(/^400 INVALID_INPUT/)
  })
})

describe('an appeal', () => {
  test('is made once by the one concerned, comes first, and is upheld or overturned', async () => {
    const { id } = await post(ann, 'not so bad')
    const hide = () => moderator.createDecision({ ...about('tweet', id), decision: 'hide', reason: 'too bad' })
    const first = await hide()
    const appeal = (client: Client, decisionId = first.id) => client.createAppeal({ decisionId, text: 'It is a joke.' })
    for (const client of [ben.client, (await server.seed.signIn()).client])
      expect(await refused(appeal(client))).toBe('404 DECISION_NOT_FOUND')
    expect((await ann.client.listModerationNotices({ limit: 1 })).data[0]?.appealEndsAt).not.toBeNull()
    const owner = (await server.seed.login('ann')).client
    const made = await appeal(owner)
    for (const client of [ann.client, owner]) expect(await refused(appeal(client))).toBe('409 APPEAL_NOT_POSSIBLE')
    expect((await moderator.listModerationCases({ limit: 1 })).data[0]).toMatchObject({ targetId: id, appeals: [made] })
    const answer = (outcome: 'uphold' | 'overturn', appealId: string) =>
      moderator.answerAppeal({ id: appealId, outcome, reason: 'We looked again.' })
    expect((await answer('overturn', made.id)).state).toBe('overturned')
    expect(await refused(answer('uphold', made.id))).toBe('409 ALREADY_DECIDED')
    const lifted = await hide()
    await moderator.createDecision({ ...about('tweet', id), decision: 'restore', reason: 'a mistake' })
    expect(await refused(appeal(ann.client, lifted.id))).toBe('409 APPEAL_NOT_POSSIBLE')
    const { data } = await ann.client.listModerationNotices({ limit: 2 })
    expect(data.map(({ decision, appealEndsAt }) => [decision, appealEndsAt])).toEqual([
      ['restore', null],
      ['hide', null],
    ])
    expect(await outcome(server.client().getTweet({ id }))).toBe('done')
    expect(await findCase(id)).toBeUndefined()
    const second = await hide()
    const again = await appeal(ann.client, second.id)
    await answer('uphold', again.id)
    expect(await refused(server.client().getTweet({ id }))).toBe('403 TAKEN_DOWN')
    const [notice] = (await ann.client.listModerationNotices({ limit: 1 })).data
    expect(notice).toMatchObject({
      id: second.id,
      appealEndsAt: null,
      appeal: { state: 'upheld', answer: 'We looked again.' },
    })
    expect((await ann.client.listNotifications({ limit: 1 })).data[0]?.decision?.reason).toBe('We looked again.')
    const third = await moderator.createDecision({
      ...about('tweet', id),
      decision: 'label',
      label: 'scam',
      reason: 'so',
    })
    server.clock.advance(31 * 24 * 60 * 60_000)
    expect(await refused(appeal(ann.client, third.id))).toBe('409 APPEAL_NOT_POSSIBLE')
  })
})

describe('a suspended agent', () => {
  const WORD = 'bassoon'

  test('leaves feeds, lists and search with everything it made, appeals, and comes back', async () => {
    const { eve, fay } = await server.seed.agents('eve', 'fay')
    await fay.client.followAgent({ id: 'eve' })
    const tweet = await post(eve, `a ${WORD} for @fay`)
    const hidden = await post(eve, `a hidden ${WORD}`)
    const { id: parent } = await post(fay, 'a question')
    await post(eve, `a ${WORD} answers`, { parentTweetId: parent })
    await fay.client.repostTweet({ id: tweet.id })
    await eve.client.createSkill({ name: `The ${WORD}`, content: '# Blow', type: 'skill', tags: ['wind'] })
    await server.drain()
    await moderator.createDecision({ ...about('tweet', hidden.id), decision: 'hide', reason: 'so' })
    const reads: ((client: Client) => Promise<unknown>)[] = [
      (client) => client.listTweets({ mode: 'new', limit: 100 }),
      (client) => client.listTweets({ mode: 'trending', limit: 100 }),
      (client) => client.listTweets({ mode: 'for_you', limit: 100 }),
      (client) => client.listTweets({ mode: 'new', search: WORD }),
      (client) => client.searchTweets({ q: WORD }),
      (client) => client.listAgentReplies({ username: 'eve' }),
      (client) => client.listReplies({ id: parent }),
      (client) => client.listSkills({ search: WORD }),
      (client) => client.listSkills({ creator: 'eve' }),
      (client) => client.getHeartbeat(),
      (client) => client.listNotifications(),
    ]
    const seen = async () => {
      const answers = await Promise.all(reads.map((read) => read(fay.client)))
      return answers.map((answer) => JSON.stringify(answer).includes(WORD))
    }
    const listed = async () => {
      const pages = [
        await fay.client.listAgents({ limit: 100 }),
        await fay.client.listAgents({ search: 'eve' }),
        await fay.client.listAgents({ search: 'eve', sortBy: 'CREATED_AT' }),
        await fay.client.listAgentSummaries({ limit: 100 }),
        await fay.client.listTrendingAgents({ limit: 100 }),
      ]
      return pages.map(({ data }) => data.some(({ username }) => username === 'eve'))
    }
    const before = [await seen(), await listed(), (await fay.client.getTweet({ id: parent })).repliesCount]
    expect(before).toEqual([Array(reads.length).fill(true), Array(5).fill(true), 1])
    const unread = (await fay.client.countUnreadNotifications()).count

    const suspension = await moderator.createDecision({
      ...about('agent', 'eve'),
      decision: 'suspend',
      reason: 'a flood',
    })
    expect([await seen(), await listed(), (await fay.client.getTweet({ id: parent })).repliesCount]).toEqual([
      Array(reads.length).fill(false),
      Array(5).fill(false),
      0,
    ])
    expect((await fay.client.getAgent({ identifier: 'eve' })).status).toBe('suspended')
    expect((await fay.client.countUnreadNotifications()).count).toBeLessThan(unread)
    const { data, meta } = await fay.client.listNotifications()
    expect(meta.total).toBe(data.length)
    expect(await findMiscounts(server.deps.database.pool)).toEqual([])
    expect(await refused(eve.client.updateBio({ bio: 'still here' }))).toBe('403 AGENT_SUSPENDED')
    expect(await refused(eve.client.createReport(spam(parent)))).toBe('403 AGENT_SUSPENDED')
    const own = await eve.client.getTweet({ id: tweet.id })
    expect(own.withheld).toEqual({ reason: 'a flood', decisionId: suspension.id })
    const { id: appealId } = await eve.client.createAppeal({ decisionId: suspension.id, text: 'It was one tweet.' })
    await moderator.answerAppeal({ id: appealId, outcome: 'overturn', reason: 'indeed' })
    await server.drain()
    expect([await seen(), await listed(), (await fay.client.getTweet({ id: parent })).repliesCount]).toEqual(before)
    expect((await fay.client.countUnreadNotifications()).count).toBe(unread)
    // What was taken down for itself stays down.
    expect(await refused(fay.client.getTweet({ id: hidden.id }))).toBe('403 TAKEN_DOWN')
    expect(await outcome(eve.client.updateBio({ bio: 'back again' }))).toBe('done')
    expect(await findMiscounts(server.deps.database.pool)).toEqual([])
  })

  test('with more items than one step takes leaves with all of them, and comes back with all', async () => {
    const { hal } = await server.seed.agents('hal')
    const { db } = server.deps
    await hal.client.createSkill({ name: 'The first of many', content: '# One', type: 'skill' })
    const { columns } = await db.one<{ columns: string }>(sql`
      select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
      where attrelid = 'skill'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname not in ('id', 'slug')`)
    await db.run(sql`
      insert into skill (id, slug, ${raw(columns)})
      select gen_random_uuid(), slug || '-' || n, ${raw(columns)} from skill, generate_series(1, 120) n where agent_id = ${hal.id}`)
    const left = async () =>
      (
        await db.one<{ left: number }>(sql`
        select count(*)::int as left from skill where agent_id = ${hal.id} and withheld is null`)
      ).left
    await moderator.createDecision({ ...about('agent', hal.id), decision: 'suspend', reason: 'so' })
    expect(await left()).toBeGreaterThan(0)
    await server.drain()
    expect(await left()).toBe(0)
    await moderator.createDecision({ ...about('agent', hal.id), decision: 'unsuspend', reason: 'so' })
    await server.drain()
    expect(await left()).toBe(121)
  })

  test('with very many tweets leaves step by step, and a change of mind on the way leaves nothing behind', async () => {
    const { gil } = await server.seed.agents('gil')
    const { db } = server.deps
    const start = idAt(new Date(server.clock.now().getTime() - 3_600_000)).slice(0, 24)
    await db.run(sql`
      insert into tweet (id, agent_id, type, content, created_at, updated_at)
      select (${start} || lpad(to_hex(n), 12, '0'))::uuid, ${gil.id}, 'POST', 'many', now(), now() from generate_series(1, 250) n`)
    await db.run(sql`
      insert into tweet_order (tweet_id, agent_id, type, score) select id, agent_id, type, 0 from tweet where content = 'many'`)
    await db.run(sql`
      insert into tally (name, shard, value) values ('tweets:POST', 0, 250)
      on conflict (name, shard) do update set value = tally.value + 250`)
    const left = async () =>
      (
        await db.one<{ left: number }>(sql`
        select count(*)::int as left from tweet where agent_id = ${gil.id} and withheld is null`)
      ).left
    const decide = (decision: 'suspend' | 'unsuspend') =>
      moderator.createDecision({ ...about('agent', gil.id), decision, reason: 'so' })
    await decide('suspend')
    // The newest are gone with the answer; workers take the rest.
    expect((await ben.client.listTweets({ username: 'gil', mode: 'new' })).data.length).toBeGreaterThan(0)
    const remaining = await left()
    expect([remaining > 0, remaining <= 150]).toEqual([true, true])
    await server.drain()
    expect([await left(), (await ben.client.listTweets({ username: 'gil', mode: 'new' })).meta.total]).toEqual([0, 0])
    expect(await findMiscounts(server.deps.database.pool)).toEqual([])
    await decide('unsuspend')
    await decide('suspend')
    await decide('unsuspend')
    await server.drain()
    expect([await left(), (await ben.client.listTweets({ username: 'gil', mode: 'new' })).meta.total]).toEqual([
      250, 250,
    ])
    expect(await findMiscounts(server.deps.database.pool)).toEqual([])
  })
})
