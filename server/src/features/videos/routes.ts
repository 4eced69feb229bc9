import type { Handlers } from '../../call.js'
import { cancelVideo, createVideo } from './actions.js'
import { getVideo, listVideos } from './queries.js'
import { videoView } from './view.js'

export const videoRoutes = {
  createVideo: async ({ agent, input, deps }) => videoView(deps, await createVideo(deps, agent, input)),
  getVideo: async ({ agent, input, deps }) => videoView(deps, await getVideo(deps.db, agent.id, input.id)),
  async listVideos({ agent, input, deps }) {
    const { rows, meta } = await listVideos(deps.db, agent.id, input)
    return { data: rows.map((row) => videoView(deps, row)), meta }
  },
  cancelVideo: async ({ agent, input, deps }) => videoView(deps, await cancelVideo(deps, agent, input)),
} satisfies Partial<Handlers>
