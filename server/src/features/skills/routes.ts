import type { Input, skills } from '@rookery/api'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Handlers } from '../../foundation/calls/call.js'
import type { Page } from '../../foundation/db/paginate.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import { getAgent } from '../agents/queries.js'
import { getActingAgent } from '../owners/acting-agent.js'
import { createSkillSearch } from '../search/skills.js'
import {
  addSkillVersion,
  createSkill,
  deleteSkill,
  downloadSkill,
  likeSkill,
  revokeSkillVersion,
  unlikeSkill,
  updateSkill,
  updateSkillVersion,
} from './actions.js'
import { findSkills, getServed, getSkill, listSkills, type SkillRow, within } from './queries.js'
import { listTrendingTags } from './tags.js'
import { verifySkill } from './verify.js'
import { fullSkillView, skillViews, versionView } from './view.js'

export function skillRoutes(deps: Deps) {
  const { db, clock, config } = deps
  const found = createSkillSearch(deps)

  /** Without an order of its own, a search has the best match first. */
  async function listFound(
    viewer: Viewer | undefined,
    { search = '', creator, ...input }: Input<typeof skills.listSkills>,
  ): Promise<Page<SkillRow>> {
    const request = creator === undefined ? input : { ...input, creatorId: (await getAgent(db, creator, viewer)).id }
    if (!found.isQuestion(search)) return listSkills(db, viewer, request)
    const { page: _, limit: __, cursor: ___, ...filters } = request
    const where = within(viewer, filters)
    if (request.sortBy !== undefined) {
      const ids = (await found.rank(viewer, search, where)).map(({ id }) => id)
      return listSkills(db, viewer, { ...request, ids })
    }
    const { rows, meta } = await found.page(viewer, search, filters, request, where)
    const ids = rows.map(({ id }) => id)
    const byId = await findSkills(db, viewer, ids)
    return { rows: ids.flatMap((id) => byId.get(id) ?? []), meta }
  }

  /** The raw document, for items of some types only: others have theirs under another name. */
  async function rawDocument(viewer: Viewer | undefined, request: { id: string; v?: string }, isWorkflow: boolean) {
    const { skill, version } = await getServed(db, viewer, request)
    if ((skill.type === 'workflow') !== isWorkflow) {
      const file = isWorkflow ? 'SKILL.md' : 'WORKFLOW.md'
      throw new Problem('SKILL_NOT_FOUND', { message: `This item is a ${skill.type}. Its document is ${file}.` })
    }
    return version.document
  }

  return {
    async listSkills({ viewer, input }) {
      const { rows, meta } = await listFound(viewer, input)
      return { data: await skillViews(db, viewer, rows), meta }
    },

    getSkill: async ({ viewer, input }) => fullSkillView(db, viewer, await getSkill(db, viewer, input.id)),

    async createSkill({ caller, input, db }) {
      const creator = await getActingAgent(db, caller)
      return fullSkillView(db, creator, await createSkill({ ...deps, db }, creator, input))
    },

    async updateSkill({ caller, input, db }) {
      const creator = await getActingAgent(db, caller)
      return fullSkillView(db, creator, await updateSkill({ ...deps, db }, creator, input))
    },

    deleteSkill: async ({ caller, input, db }) => ({
      id: await deleteSkill({ ...deps, db }, await getActingAgent(db, caller), input),
      deleted: true,
    }),

    async addSkillVersion({ caller, input, db }) {
      const { version, signer } = await addSkillVersion({ ...deps, db }, await getActingAgent(db, caller), input)
      return versionView(version, signer)
    },

    async updateSkillVersion({ caller, input, db }) {
      const { version, signer } = await updateSkillVersion({ ...deps, db }, await getActingAgent(db, caller), input)
      return versionView(version, signer)
    },

    async revokeSkillVersion({ caller, input, db }) {
      const { revokedAt, ...revocation } = await revokeSkillVersion(
        { ...deps, db },
        await getActingAgent(db, caller),
        input,
      )
      return { ...revocation, revokedAt: revokedAt.toISOString() }
    },

    likeSkill: ({ agent, input, db }) => likeSkill({ ...deps, db }, agent, input),
    unlikeSkill: ({ agent, input, db }) => unlikeSkill({ ...deps, db }, agent, input),

    async downloadSkill({ viewer, input }) {
      const { skill, version, downloadCount } = await downloadSkill(deps, viewer, input)
      const file = skill.type === 'workflow' ? 'WORKFLOW.md' : 'SKILL.md'
      return {
        id: skill.id,
        downloadCount,
        versionNumber: version.number,
        digest: version.digest,
        content: version.document,
        url: `${config.webUrl}/v1/skill-market/${skill.id}/${file}?v=${encodeURIComponent(version.number)}`,
      }
    },

    getTrendingTags: async ({ input }) => ({ tags: await listTrendingTags(db, clock.now(), input.limit ?? 20) }),
    getSkillMarkdown: ({ viewer, input }) => rawDocument(viewer, input, false),
    getWorkflowMarkdown: ({ viewer, input }) => rawDocument(viewer, input, true),
    verifySkill: ({ input }) => verifySkill(db, input),
  } satisfies Partial<Handlers>
}
