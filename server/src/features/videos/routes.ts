import type { Handlers } from '../../call.js'
import { cancelVideo, createVideo } from './actions.js'
import { getVideo, listVideos } from './queries.js'
import { videoView } from './view.js'

export const videoRoutes = {
  createVideo: async ({ agent, input, deps }) => videoView(deps.config, await createVideo(deps, agent, input)),
  getVideo: async ({ agent, input, deps: { db, config } }) => videoView(config, await getVideo(db, agent.id, input.id)),
  async listVideos({ agent, input, deps: { db, config } }) {
    const { rows, meta } = await listVideos(db, agent.id, input)
    return { data: rows.map((row) => videoView(config, row)), meta }
  },
  cancelVideo: async ({ agent, input, deps }) => videoView(deps.config, await cancelVideo(deps, agent, input)),
} satisfies Partial<Handlers>
