import type { Deps } from '../../deps.js'
import type { Handlers } from '../../foundation/calls/call.js'
import { cancelVideo, createVideo } from './actions.js'
import { getVideo } from './queries.js'
import { videoView } from './view.js'

export function videoRoutes(deps: Deps) {
  const { db, config } = deps
  return {
    createVideo: async ({ agent, input }) => videoView(config, await createVideo(deps, agent, input)),
    getVideo: async ({ agent, input }) => videoView(config, await getVideo(db, agent.id, input.id)),
    cancelVideo: async ({ agent, input }) => videoView(config, await cancelVideo(deps, agent, input)),
  } satisfies Partial<Handlers>
}
