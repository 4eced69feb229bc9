import { type CallName, endpoints } from '@rookery/api'
import { Client } from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { SeededAgent } from './seed.js'
import { type ShareMarket, startShareMarket } from './share-market.js'

let market: ShareMarket
let alice: SeededAgent
let bob: SeededAgent
let me: SeededAgent['client']
const ids: Record<string, string> = {}

beforeAll(async () => {
  market = await startShareMarket({ WEBHOOKS_ALLOW_PRIVATE: 'yes' })
  ;({ alice, bob } = await market.server.seed.agents('alice', 'bob'))
  await market.fund(alice, bob)
  await market.buy(bob, bob)
  await market.buy(alice, bob, 3)
  me = alice.client
  ids.tweet = (await bob.client.createTweet({ content: 'to be liked' })).id
})
afterAll(() => market.stop())

const trade = () => ({ sharesSubject: bob.subject, amount: 1, walletAddress: alice.walletAddress })
const item = (content: string) => ({ name: 'Item', content, type: 'skill' as const, versionNumber: '1.0.0' })
const webhook = { url: 'http://127.0.0.1:9/hook', topics: ['notifications' as const] }

/** One call of every endpoint with an action, in an order such that each has something to change. */
const calls: [CallName, () => Promise<{ id?: string } | unknown>][] = [
  ['updateBio', () => me.updateBio({ bio: 'new words' })],
  ['updateProfile', () => me.updateProfile({ displayName: 'New Name' })],
  ['createTweet', async () => (ids.own = (await me.createTweet({ content: 'mine' })).id)],
  ['likeTweet', () => me.likeTweet({ id: ids.tweet ?? '' })],
  ['unlikeTweet', () => me.unlikeTweet({ id: ids.tweet ?? '' })],
  ['repostTweet', () => me.repostTweet({ id: ids.tweet ?? '' })],
  ['undoRepost', () => me.undoRepost({ id: ids.tweet ?? '' })],
  ['deleteTweet', () => me.deleteTweet({ id: ids.own ?? '' })],
  ['followAgent', () => me.followAgent({ id: bob.id })],
  ['unfollowAgent', () => me.unfollowAgent({ id: bob.id })],
  ['muteAgent', () => me.muteAgent({ id: bob.id })],
  ['unmuteAgent', () => me.unmuteAgent({ id: bob.id })],
  ['blockAgent', () => me.blockAgent({ id: bob.id })],
  ['unblockAgent', () => me.unblockAgent({ id: bob.id })],
  ['uploadFile', async () => (ids.file = (await me.uploadFile({ file: await picture() })).url)],
  ['updateAvatar', () => me.updateAvatar({ avatarUrl: ids.file ?? null })],
  ['createVideo', async () => (ids.video = (await me.createVideo({ prompt: 'a rook' })).id)],
  ['cancelVideo', () => me.cancelVideo({ id: ids.video ?? '' })],
  ['createSkill', async () => (ids.skill = (await me.createSkill(item('# one'))).id)],
  ['updateSkill', () => me.updateSkill({ id: ids.skill ?? '', description: 'what it is for' })],
  [
    'addSkillVersion',
    async () =>
      (ids.version = (await me.addSkillVersion({ id: ids.skill ?? '', versionNumber: '1.1.0', content: '# two' })).id),
  ],
  [
    'updateSkillVersion',
    () => me.updateSkillVersion({ id: ids.skill ?? '', versionId: ids.version ?? '', description: 'better' }),
  ],
  [
    'revokeSkillVersion',
    () => me.revokeSkillVersion({ id: ids.skill ?? '', versionId: ids.version ?? '', reason: 'wrong' }),
  ],
  ['likeSkill', () => me.likeSkill({ id: ids.skill ?? '' })],
  ['unlikeSkill', () => me.unlikeSkill({ id: ids.skill ?? '' })],
  ['deleteSkill', () => me.deleteSkill({ id: ids.skill ?? '' })],
  ['createWebhook', async () => (ids.webhook = (await me.createWebhook(webhook)).webhook.id)],
  ['updateWebhook', () => me.updateWebhook({ id: ids.webhook ?? '', description: 'mine' })],
  ['rotateWebhookSecret', () => me.rotateWebhookSecret({ id: ids.webhook ?? '' })],
  ['pingWebhook', async () => (ids.delivery = (await me.pingWebhook({ id: ids.webhook ?? '' })).id)],
  ['replayDelivery', () => me.replayDelivery({ id: ids.webhook ?? '', deliveryId: ids.delivery ?? '' })],
  ['replayDeadLetters', () => me.replayDeadLetters({ id: ids.webhook ?? '' })],
  ['deleteWebhook', () => me.deleteWebhook({ id: ids.webhook ?? '' })],
  ['updateNotificationPreferences', () => me.updateNotificationPreferences({ muted: ['SHARE_SOLD'] })],
  ['getShareQuote', () => me.getShareQuote({ side: 'buy', ...trade() })],
  ['getShareTransfer', () => me.getShareTransfer({ ...trade(), to: bob.walletAddress })],
  [
    'createReport',
    () => me.createReport({ targetType: 'tweet', targetId: ids.tweet ?? '', reason: 'spam', text: 'see for yourself' }),
  ],
  ['regenerateKey', () => me.regenerateKey()],
]

async function picture(): Promise<Blob> {
  const image = sharp({ create: { width: 40, height: 20, channels: 3, background: 'teal' } }).png()
  return new Blob([Uint8Array.from(await image.toBuffer())])
}

describe('the audit entry of a call', () => {
  test('is checked for every endpoint with an action', () => {
    const governed = Object.entries(endpoints).flatMap(([name, endpoint]) => ('action' in endpoint ? [name] : []))
    expect(calls.map(([name]) => name).sort()).toEqual(governed.sort())
  })

  test.each(calls)('of %s is written in the transaction of its change', async (_name, call) => {
    const transactions = await recordTransactions(call)
    const audited = transactions.filter((statements) => statements.some((text) => WRITES_LINE.test(text)))
    expect(audited).toHaveLength(1)
    expect(
      audited[0]?.flatMap(changedTables).filter((table) => table !== 'audit_entry' && table !== 'deed'),
    ).not.toEqual([])
  })
})

// A line is an entry or a deed. What takes deeds writes their entries, later.
const WRITES_LINE = /^(?![\s\S]*delete from deed)[\s\S]*into (audit_entry|deed)\b/

function changedTables(text: string): string[] {
  return [...text.matchAll(/\b(?:insert into|update|delete from)\s+([a-z_]+)/g)].map(([, table = '']) => table)
}

/** Records the statements of a call by transaction; a statement outside one counts as its own transaction. */
async function recordTransactions(call: () => Promise<unknown>): Promise<string[][]> {
  const spy = vi.spyOn(Client.prototype, 'query')
  try {
    await call()
    const transactions: string[][] = []
    const open = new Map<unknown, string[]>()
    for (const [index, [query]] of spy.mock.calls.entries()) {
      const client = spy.mock.contexts[index]
      const text = typeof query === 'string' ? query : (query as { text: string }).text
      if (text.startsWith('begin')) open.set(client, [])
      else if (text === 'commit') {
        transactions.push(open.get(client) ?? [])
        open.delete(client)
      } else if (text === 'rollback') open.delete(client)
      else if (open.has(client)) open.get(client)?.push(text)
      else transactions.push([text])
    }
    return transactions
  } finally {
    spy.mockRestore()
  }
}
