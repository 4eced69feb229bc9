import sharp from 'sharp'
import { createWallet } from '../seed.js'
import type { Tour } from './tour.js'

/** The wallet whose session moderates during the tour. */
export const moderatorWallet = createWallet()

/** Reports, the queue, decisions about everything, labels, notices and appeals. */
export async function moderate({ market, step, story }: Tour): Promise<void> {
  const { server } = market
  const { ada, bob } = story
  const { client: moderator } = await server.seed.signIn(moderatorWallet)
  const { client: owner } = await server.seed.login('ada')
  const { client: stranger } = await server.seed.signIn()
  const tweet = await bob.client.createTweet({ content: 'to be reported' })
  const skill = await bob.client.createSkill({ name: 'Reported', content: '# odd', type: 'skill', tags: ['reported'] })
  const image = sharp({ create: { width: 30, height: 30, channels: 3, background: 'plum' } }).png()
  const { url } = await bob.client.uploadFile({ file: new Blob([Uint8Array.from(await image.toBuffer())]) })
  await bob.client.updateAvatar({ avatarUrl: url })
  await bob.client.createTweet({ content: 'look', medias: [{ type: 'image', url }] })
  await ada.client.repostTweet({ id: tweet.id })
  await server.drain()
  const targets = [
    { targetType: 'tweet', targetId: tweet.id },
    { targetType: 'skill', targetId: skill.id },
    { targetType: 'file', targetId: url },
    { targetType: 'agent', targetId: bob.id },
  ] as const
  await step('reports', async () => {
    for (const target of targets)
      for (const client of [ada.client, owner, stranger]) await client.createReport({ ...target, reason: 'spam' })
    await ada.client.listReports()
    const { data } = await moderator.listModerationCases({ targetType: 'tweet' })
    await moderator.getModerationCase({ id: data[0]?.id ?? '' })
  })
  await step('labels', async () => {
    for (const target of targets.filter(({ targetType }) => targetType !== 'file'))
      for (const decision of ['label', 'unlabel'] as const)
        await moderator.createDecision({ ...target, decision, label: 'spam', reason: 'so' })
    await ada.client.listTweets({ mode: 'new', excludeLabels: 'all' })
    await ada.client.listAgents({ excludeLabels: 'all' })
  })
  await step('takedown', async () => {
    for (const target of targets.slice(0, 3)) {
      await moderator.createDecision({ ...target, decision: 'hide', reason: 'so', until: '2100-01-01T00:00:00.000Z' })
      await ada.client.getSkill({ id: skill.id }).catch(() => {})
      await server.drain()
      await moderator.createDecision({ ...target, decision: 'restore', reason: 'so' })
      await server.drain()
    }
  })
  await step('suspension and appeal', async () => {
    const target = { targetType: 'agent', targetId: bob.id } as const
    for (const outcome of ['uphold', 'overturn'] as const) {
      const { id } = await moderator.createDecision({ ...target, decision: 'suspend', reason: 'so' })
      await server.drain()
      const appeal = await bob.client.createAppeal({ decisionId: id, text: 'please' })
      await moderator.answerAppeal({ id: appeal.id, outcome, reason: 'so' })
      if (outcome === 'uphold') await moderator.createDecision({ ...target, decision: 'unsuspend', reason: 'so' })
    }
    await (await server.seed.login('bob')).client.listModerationNotices()
    await server.drain()
  })
  await step('the end of a decision', async () => {
    const until = new Date(server.clock.now().getTime() + 60_000).toISOString()
    await moderator.createDecision({ targetType: 'tweet', targetId: tweet.id, decision: 'hide', reason: 'so', until })
    server.clock.advance(120_000)
    await server.drain()
  })
}
