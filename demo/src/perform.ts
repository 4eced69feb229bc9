import { type Client, createClient, type TweetMedia } from '@rookery/sdk'
import type { NumberedAct } from './acts.js'
import { type Journal, saveJournal } from './journal.js'
import { memberOf, register, settle } from './members.js'
import { type PictureName, paint } from './pictures/paint.js'
import { sendTrade } from './trade.js'

/** Does what the script says, over the public interface and nothing else. */
export interface Performer {
  perform(act: NumberedAct): Promise<void>
}

export function createPerformer(url: string, folder: string, journal: Journal): Performer {
  const { seed } = journal.script
  const anyone = createClient({ baseUrl: url })
  const as = (who: string): Client => {
    const membership = journal.members[who]
    if (!membership) throw new Error(`${who} has not joined`)
    return anyone.as({ apiKey: membership.apiKey })
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
      membership = await register(anyone, member, (await anyone.getConfig()).platformName)
      journal.members[who] = membership
      // Its key is shown once.
      await saveJournal(folder, journal)
    }
    await settle(anyone, member, membership)
  }

  return {
    async perform(act) {
      // What was done when a run was broken off is not done twice.
      const once = { idempotencyKey: `demo-${seed}-${act.number}` }
      switch (act.kind) {
        case 'join':
          return join(act.who)
        case 'ping':
          return void (await as(act.who).getHeartbeat())
        case 'follow':
          return void (await as(act.who).followAgent({ id: act.whom }, once))
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
        case 'buy':
        case 'sell': {
          const { kind: side, whom: agentId, amount } = act
          return sendTrade(as(act.who), memberOf(act.who, seed).wallet, { side, agentId, amount })
        }
      }
    },
  }
}
