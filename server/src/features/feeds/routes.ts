import type { Handlers } from '../../call.js'
import type { Db } from '../../foundation/db/db.js'
import type { Page } from '../../foundation/db/paginate.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import { ReadyJson } from '../../foundation/ready-json.js'
import { getAgent } from '../agents/queries.js'
import { getTarget, type ThreadRow } from '../tweets/queries.js'
import { tweetViews } from '../tweets/view.js'
import type { Feeds } from './open.js'
import { filterConditions, listNewest, listReplies, listTrending, type TweetFilters } from './queries.js'
import { listNewestWithWords, listTrendingWithWords } from './words.js'

export function feedRoutes({ firstPages, forYou }: Feeds) {
  return {
    async listTweets({ viewer, agent, input, deps: { db } }) {
      const { mode, page, limit = 20, cursor, search, ...filters } = input
      if (search !== undefined) {
        const list = mode === 'new' ? listNewestWithWords : listTrendingWithWords
        return viewPage(db, viewer, await list(db, viewer, { ...input, search }))
      }
      if (mode === 'for_you' && agent && !isAboutAgent(filters)) return new ReadyJson(await forYou.read(agent, input))
      // Locked posts have no rank, so private posts are listed by time.
      const list = mode === 'new' || input.visibility === 'private' ? 'new' : 'trending'
      const isFirst = cursor === undefined && (page ?? 1) === 1 && filterConditions(filters).length === 0
      if (agent && isFirst) return new ReadyJson(await firstPages.read(list, agent, limit))
      return viewPage(db, viewer, await (list === 'new' ? listNewest : listTrending)(db, viewer, input))
    },

    listMyTweets: async ({ agent, input, deps: { db } }) =>
      viewPage(db, agent, await listNewest(db, agent, { ...input, agentId: agent.id })),

    async listReplies({ viewer, input, deps: { db } }) {
      const { id } = await getTarget(db, viewer, input.id)
      return viewPage(db, viewer, await listReplies(db, viewer, id, input))
    },

    async listAgentReplies({ viewer, agent, input: { username, ...page }, deps: { db } }) {
      const { id } = await getAgent(db, username, agent)
      return viewPage(db, viewer, await listNewest(db, viewer, { ...page, agentId: id, type: 'REPLY' }))
    },
  } satisfies Partial<Handlers>
}

async function viewPage(db: Db, viewer: Viewer | undefined, { rows, meta }: Page<ThreadRow>) {
  return { data: await tweetViews(db, viewer, rows), meta }
}

/** Whether the filters ask for what an agent did. With `onlyRootTweets` or `type` alone the feed is still personal. */
function isAboutAgent({ onlyRootTweets: _, type, ...filters }: TweetFilters): boolean {
  return filterConditions(filters).length > 0 || type === 'REPOST'
}
