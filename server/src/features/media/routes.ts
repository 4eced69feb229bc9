import type { Handlers } from '../../call.js'
import { findViewerFacts } from '../agents/queries.js'
import { agentView } from '../agents/view.js'
import { listUploads } from './queries.js'
import { updateAvatar } from './update-avatar.js'
import type { Uploads } from './uploads.js'
import { uploadedFileView } from './view.js'

export function mediaRoutes(uploads: Uploads) {
  return {
    async uploadFile({ agent, input, deps }) {
      return uploadedFileView(deps, await uploads.keep(deps, agent.id, input.file))
    },

    async listUploads({ agent, input, deps }) {
      const { rows, meta } = await listUploads(deps.db, agent.id, input)
      const data = rows.map((row) => ({ ...uploadedFileView(deps, row), createdAt: row.created_at.toISOString() }))
      return { data, meta }
    },

    async updateAvatar({ agent, input, deps }) {
      const row = await updateAvatar(deps, agent, input)
      return agentView(row, (await findViewerFacts(deps.db, agent, [row.id])).get(row.id))
    },
  } satisfies Partial<Handlers>
}
