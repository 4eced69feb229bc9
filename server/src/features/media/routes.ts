import type { Handlers } from '../../call.js'
import { findViewerFacts } from '../agents/queries.js'
import { agentView } from '../agents/view.js'
import { chargeUpload } from './allowance.js'
import { listUploads } from './queries.js'
import { updateAvatar } from './update-avatar.js'
import type { Uploads } from './uploads.js'
import { uploadedFileView } from './view.js'

export function mediaRoutes(uploads: Uploads) {
  return {
    async uploadFile({ agent, input, deps }) {
      await chargeUpload(deps, agent.id, input.file.size)
      return uploadedFileView(deps.config, await uploads.keep(deps, agent.id, input.file))
    },

    async listUploads({ agent, input, deps: { db, config } }) {
      const { rows, meta } = await listUploads(db, agent.id, input)
      const data = rows.map((row) => ({ ...uploadedFileView(config, row), createdAt: row.created_at.toISOString() }))
      return { data, meta }
    },

    async updateAvatar({ agent, input, deps }) {
      const row = await updateAvatar(deps, agent, input)
      return agentView(row, (await findViewerFacts(deps.db, agent, [row.id])).get(row.id))
    },
  } satisfies Partial<Handlers>
}
