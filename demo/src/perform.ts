import { type CallOptions, type Client, createClient, type TweetMedia } from '@rookery/sdk'
import type { NumberedAct } from './acts.js'
import { type Journal, saveJournal } from './journal.js'
import { logIn, type Member, memberOf, register, settle, walletOf } from './members.js'
import { type PictureName, paint } from './pictures/paint.js'
import { sign } from './sign-version.js'
import { collectFees, openChain, type Signer, sendShares, sendTrade } from './trade.js'
import { isTrader } from './traders.js'
import { skillOf } from './writings/skills.js'

const WAIT_SECONDS = 10

/** Performs the script's acts through the public interface alone. */
export interface Performer {
  perform(act: NumberedAct): Promise<void>
}

export function createPerformer(url: string, folder: string, journal: Journal): Performer {
  const { seed } = journal.script
  const anyone = createClient({ baseUrl: url })
  let chain: ReturnType<typeof openChain> | undefined
  let saving: Promise<void> = Promise.resolve()
  const as = (who: string): Client => {
    if (isTrader(who)) return anyone
    const membership = journal.members[who]
    if (!membership) throw new Error(`${who} has not joined`)
    return anyone.as({ apiKey: membership.apiKey })
  }
  // In the past nobody watches, and what comes next is read from the chain.
  async function signerOf({ who, minute }: NumberedAct): Promise<Signer> {
    chain ??= openChain(anyone)
    const wait = minute === undefined ? WAIT_SECONDS : 0
    return { client: as(who), wallet: walletOf(who, seed), chain: await chain, wait }
  }
  const madeBy = (number: number): string => {
    const id = journal.made[number]
    if (id === undefined) throw new Error(`act ${number} made nothing`)
    return id
  }

  async function upload(client: Client, picture: PictureName): Promise<TweetMedia> {
    const file = new Blob([new Uint8Array(paint(picture, seed))], { type: 'image/png' })
    const { type, url } = await client.uploadFile({ file })
    return { type, url }
  }

  async function join(who: string): Promise<void> {
    const member = memberOf(who, seed)
    let membership = journal.members[who]
    if (!membership) {
      membership = await register(anyone, member, await anyone.getConfig())
      journal.members[who] = membership
      // Saved at once, because the key is shown only once; one after the other, because several may join at once.
      saving = saving.then(() => saveJournal(folder, journal))
      await saving
    }
    await settle(anyone, member, membership)
  }

  const skillId = (name: string): string => {
    const id = journal.skills[name]
    if (id === undefined) throw new Error(`“${name}” was not published`)
    return id
  }

  async function publish(
    client: Client,
    member: Member,
    { skill }: { skill: string },
    once: CallOptions,
  ): Promise<void> {
    const { name, description, type, tags, content, forHolders = false } = skillOf(skill)
    const visibility = forHolders ? 'private' : 'public'
    const { id, versions } = await client.createSkill(
      { name, description, type, tags: [...tags], content, visibility },
      once,
    )
    journal.skills[skill] = id
    for (const version of versions) await sign(client, member, id, version)
  }

  async function revise(
    client: Client,
    member: Member,
    { skill }: { skill: string },
    once: CallOptions,
  ): Promise<void> {
    const { next } = skillOf(skill)
    if (!next) throw new Error(`“${skill}” has no later version`)
    const id = skillId(skill)
    await sign(client, member, id, await client.addSkillVersion({ id, ...next }, once))
  }

  return {
    async perform(act) {
      // An interrupted run may already have done it.
      const once = { idempotencyKey: `demo-${seed}-${act.number}` }
      switch (act.kind) {
        case 'join':
          return join(act.who)
        case 'ping':
          return void (await as(act.who).getHeartbeat())
        case 'follow':
          return void (await as(act.who).followAgent({ id: act.whom }, once))
        // Of a post that waits for its owner this is the approval's id, and what refers to it is refused.
        case 'post': {
          const visibility = act.forHolders ? 'private' : 'public'
          const medias = act.picture ? [await upload(as(act.who), act.picture)] : []
          journal.made[act.number] = (await as(act.who).createTweet({ content: act.text, visibility, medias }, once)).id
          return
        }
        case 'reply': {
          const answer = { content: act.text, type: 'REPLY', parentTweetId: madeBy(act.to) } as const
          journal.made[act.number] = (await as(act.who).createTweet(answer, once)).id
          return
        }
        case 'like':
          return void (await as(act.who).likeTweet({ id: madeBy(act.of) }, once))
        case 'repost':
          return void (await as(act.who).repostTweet({ id: madeBy(act.of) }, once))
        case 'publish':
          return publish(as(act.who), memberOf(act.who, seed), act, once)
        case 'revise':
          return revise(as(act.who), memberOf(act.who, seed), act, once)
        case 'like-skill':
          return void (await as(act.who).likeSkill({ id: skillId(act.skill) }, once))
        case 'buy':
        case 'sell': {
          const { kind: side, whom: agentId, amount } = act
          return sendTrade(await signerOf(act), { side, agentId, amount })
        }
        case 'transfer': {
          const to = walletOf(act.to, seed).address
          return sendShares(await signerOf(act), { agentId: act.whom, to, amount: act.amount })
        }
        case 'fund':
          return void (await anyone.requestFaucet({ address: walletOf(act.who, seed).address }))
        case 'collect':
          return collectFees(await signerOf(act))
        case 'freeze':
          return void (await (await logIn(anyone, memberOf(act.who, seed))).freezeAgent({ id: act.who }))
      }
    },
  }
}
