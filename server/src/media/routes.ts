import { findViewerFacts } from '../agents/queries.js'
import { agentView } from '../agents/view.js'
import type { Deps } from '../deps.js'
import type { Handlers } from '../http/call.js'
import { updateAvatar } from './actions.js'
import { uploadedFileView } from './view.js'

export function mediaRoutes(deps: Deps) {
  const { config, uploads } = deps
  return {
    uploadFile: async ({ agent, input }) => uploadedFileView(config, await uploads.keep(agent.id, input.file)),

    async updateAvatar({ agent, input, db }) {
      const row = await updateAvatar({ ...deps, db }, agent, input)
      return agentView(row, (await findViewerFacts(db, agent, [row.id])).get(row.id))
    },
  } satisfies Partial<Handlers>
}
