import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findWords } from '../../../test/find-words.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { ENTRIES_AT_ONCE, splitOldSummary } from '../../foundation/audit/old-words.js'

const server = await startServer()
afterAll(() => server.stop())

let alice: SeededAgent
let owner: Awaited<ReturnType<typeof server.seed.login>>['client']

beforeAll(async () => {
  ;({ alice } = await server.seed.agents('alice'))
  owner = (await server.seed.login('alice')).client
})

const auditOf = async (action: string) => (await owner.listAuditEntries({ id: 'alice', action })).data
const digestOf = (words: string) => server.deps.secrets.hash('audit-words', words).toString('hex')

describe('the audit log', () => {
  test('keeps that something was written, its length and a keyed digest, and no words', async () => {
    const content = 'A quokka, 🦘 and all'
    const { id } = await alice.client.createTweet({ content })
    const [entry] = await auditOf('createTweet')
    expect(entry).toMatchObject({ target: id, wordsDigest: digestOf(content), wordsCharacters: 19 })
    await owner.freezeAgent({ id: 'alice', reason: 'the quokka bit' })
    await owner.unfreezeAgent({ id: 'alice' })
    expect(await auditOf('freezeAgent')).toMatchObject([
      { summary: 'Froze the agent', wordsDigest: digestOf('the quokka bit'), wordsCharacters: 14 },
    ])
    const liked = await auditOf('unfreezeAgent')
    expect(liked).toMatchObject([{ wordsDigest: null, wordsCharacters: null }])
    const { rows } = await server.deps.database.pool.query(`select from audit_entry e where e::text ilike '%quokka%'`)
    expect(rows).toEqual([])
  })

  test('keeps no words of a post that waited for approval, and neither does the request once it is decided', async () => {
    await owner.updateControls({ id: 'alice', approvePostsAfter: 0 })
    for (const decision of ['approve', 'reject'] as const) {
      const content = `A wombat to ${decision}`
      const { id } = await alice.client.createTweet({ content })
      const pending = await alice.client.getMyApproval({ approvalId: id })
      expect(pending).toMatchObject({ summary: `Post: ${content}`, tweet: { content } })
      await owner.decideApproval({ id: 'alice', approvalId: id, decision })
      const decided = await alice.client.getMyApproval({ approvalId: id })
      expect(decided).toMatchObject({ summary: 'Post', tweet: { content: '' } })
      const [entry] = await auditOf('decideApproval')
      const verb = decision === 'approve' ? 'Approved' : 'Rejected'
      expect(entry).toMatchObject({ summary: `${verb}: Post`, wordsDigest: digestOf(content) })
      if (decided.tweet?.id) await alice.client.deleteTweet({ id: decided.tweet.id })
    }
    await owner.updateControls({ id: 'alice', approvePostsAfter: null })
  })

  test('is rid of the words of earlier releases in the background, once when taken up and once a day later', async () => {
    const { pool } = server.deps.database
    const insert = (number: number, words: string, at = new Date()) =>
      pool.query(
        `insert into audit_entry (id, agent_id, actor, action, outcome, target, summary, created_at)
         select gen_random_uuid(), $1, 'agent', 'createTweet', 'done', $4, 'Post, reply or repost: ' || $2 || n, $5
         from generate_series(1, $3) n`,
        [alice.id, words, number, alice.id, at],
      )
    await insert(ENTRIES_AT_ONCE + 5, 'bandicoot ')
    await server.deps.queue.enqueue(server.deps.db, 'erase_audited_words', {}, { dedupeKey: 'erase_audited_words' })
    await server.drain()
    const left = () => findWords(pool, ['bandicoot'])
    expect(await left()).toEqual([])
    const { rows } = await pool.query(
      `select summary, target from audit_entry where words_digest = $1 and words_characters = 11`,
      [server.deps.secrets.hash('audit-words', 'bandicoot 7')],
    )
    expect(rows).toEqual([{ summary: 'Post, reply or repost', target: alice.id }])
    // As an instance of an earlier release does that still runs.
    await insert(1, 'bandicoot ')
    server.clock.advance(24 * 60 * 60_000)
    await server.drain()
    expect(await left()).toEqual([])
    expect(await server.deps.db.many(sql`select from job where kind = 'erase_audited_words'`)).toEqual([])
  })

  test.each([
    ['createTweet', 'Post, reply or repost: one: two', 'Post, reply or repost', 'one: two'],
    ['createTweet', 'Reply: no', 'Reply', 'no'],
    ['decideApproval', 'Approved: Post: yes', 'Approved: Post', 'yes'],
    ['expireApproval', 'Reply: maybe', 'Reply', 'maybe'],
    ['freezeAgent', 'Froze the agent: spam', 'Froze the agent', 'spam'],
    ['takeDown', 'Took down the tweet: rude: very', 'Took down the tweet', 'rude: very'],
    ['addLabel', 'Labelled the tweet as spam: it is', 'Labelled the tweet as spam', 'it is'],
    ['createAppeal', 'Appealed a decision: why', 'Appealed a decision', 'why'],
    ['answerAppeal', 'Answered the appeal (uphold): so', 'Answered the appeal (uphold)', 'so'],
  ])('of an earlier release says with %s what was done, apart from the words: %s', (action, old, summary, words) => {
    expect(splitOldSummary({ action, outcome: 'done', code: null, summary: old })).toEqual({ summary, words })
  })

  test.each([
    ['decideApproval', 'Approved: Buy 2 shares of @alice for 1 BNB.'],
    ['likeTweet', 'Like a tweet'],
    ['updateControls', 'Set maxTradeBNB = "1.5"'],
    ['createTweet', 'Post, reply or repost'],
  ])('of an earlier release stays where %s wrote %s', (action, summary) => {
    expect(splitOldSummary({ action, outcome: 'done', code: null, summary })).toBeUndefined()
  })
})
