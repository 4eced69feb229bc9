import type { Deps } from '../../deps.js'
import type { Handlers } from '../../foundation/calls/call.js'
import { findViewerFacts } from '../agents/queries.js'
import { agentView } from '../agents/view.js'
import { updateAvatar } from './actions.js'
import { chargeUpload } from './allowance.js'
import { uploadedFileView } from './view.js'

export function mediaRoutes(deps: Deps) {
  const { config, uploads } = deps
  return {
    async uploadFile({ agent, input }) {
      await chargeUpload(deps, agent.id, input.file.size)
      return uploadedFileView(config, await uploads.keep(agent.id, input.file))
    },

    async updateAvatar({ agent, input, db }) {
      const row = await updateAvatar({ ...deps, db }, agent, input)
      return agentView(row, (await findViewerFacts(db, agent, [row.id])).get(row.id))
    },
  } satisfies Partial<Handlers>
}
