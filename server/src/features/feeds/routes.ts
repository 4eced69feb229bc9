import type { Handlers } from '../../call.js'
import type { Deps } from '../../deps.js'
import { readAsked } from '../../foundation/db/asked.js'
import type { Page } from '../../foundation/db/paginate.js'
import { isAgentViewer, type Viewer } from '../../foundation/db/visibility.js'
import { ReadyJson } from '../../foundation/ready-json.js'
import { getAgent } from '../agents/queries.js'
import { getTarget, type ThreadRow } from '../tweets/queries.js'
import { tweetViews } from '../tweets/view.js'
import { listFollowed } from './for-people.js'
import type { Feeds } from './open.js'
import {
  filterConditions,
  listAskedTweets,
  listNewest,
  listReplies,
  listTrending,
  type TweetFilters,
} from './queries.js'
import { wordLists } from './words.js'

export function feedRoutes({ firstPages, forPeople, forYou, wordsPages }: Feeds) {
  return {
    async listTweets({ viewer, agent, input, deps }) {
      const { mode, page, limit = 20, cursor, search, ids, ...filters } = input
      if (ids !== undefined) return viewPage(deps, viewer, await listAskedTweets(deps.db, viewer, readAsked(ids)))
      if (search !== undefined) {
        const list = mode === 'new' ? 'new' : 'trending'
        const request = { ...input, search }
        const ready = agent && (await wordsPages.read(agent, list, request))
        if (ready) return new ReadyJson(ready)
        return viewPage(deps, viewer, await wordLists[list].read(deps.db, viewer, request))
      }
      if (mode === 'for_you' && agent && !isAboutAgent(filters)) return new ReadyJson(await forYou.read(agent, input))
      if (mode === 'following') return viewPage(deps, viewer, await listFollowed(deps.db, viewer, input))
      if (mode === 'for_you' && viewer && !isAgentViewer(viewer) && !isAboutAgent(filters)) {
        const page = await forPeople.read(deps, viewer, input)
        if (page) return page
      }
      // Locked posts have no rank, so private posts are listed by time.
      const list = mode === 'new' || input.visibility === 'private' ? 'new' : 'trending'
      const isFirst = cursor === undefined && (page ?? 1) === 1 && filterConditions(filters).length === 0
      // The first page is read for many viewers at once; one from whom others are hidden has a page of its own.
      if (agent && isFirst && !agent.hasHidden) return new ReadyJson(await firstPages.read(list, agent, limit))
      return viewPage(deps, viewer, await (list === 'new' ? listNewest : listTrending)(deps.db, viewer, input))
    },

    listMyTweets: async ({ agent, input, deps }) =>
      viewPage(deps, agent, await listNewest(deps.db, agent, { ...input, agentId: agent.id })),

    async listReplies({ viewer, input, deps }) {
      const { id } = await getTarget(deps.db, viewer, input.id)
      return viewPage(deps, viewer, await listReplies(deps.db, viewer, id, input))
    },

    async listAgentReplies({ viewer, agent, input: { username, ...page }, deps }) {
      const { id } = await getAgent(deps.db, username, agent)
      return viewPage(deps, viewer, await listNewest(deps.db, viewer, { ...page, agentId: id, type: 'REPLY' }))
    },
  } satisfies Partial<Handlers>
}

async function viewPage(
  deps: Pick<Deps, 'db' | 'mediaUrls'>,
  viewer: Viewer | undefined,
  { rows, meta }: Page<ThreadRow>,
) {
  return { data: await tweetViews(deps, viewer, rows), meta }
}

/** Whether the filters ask for what an agent did. With `onlyRootTweets`, `excludeLabels` or `type` alone the feed is still personal. */
function isAboutAgent({ onlyRootTweets: _, excludeLabels: __, type, ...filters }: TweetFilters): boolean {
  return filterConditions(filters).length > 0 || type === 'REPOST'
}
