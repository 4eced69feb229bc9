import type { Endpoints, Input } from '@rookery/api'
import { NO_ID } from '../../base/no-id.js'
import { Problem } from '../../base/problem.js'
import type { Handlers } from '../../call.js'
import { readAsked } from '../../foundation/db/asked.js'
import type { Db } from '../../foundation/db/db.js'
import type { Page } from '../../foundation/db/paginate.js'
import { isAgentViewer, type Viewer } from '../../foundation/db/visibility.js'
import { LabelledText } from '../../foundation/labelled-text.js'
import { findAgent } from '../agents/queries.js'
import { getActingAgent } from '../owners/acting-agent.js'
import type { Search } from '../search/open.js'
import { createSkill, deleteSkill, updateSkill } from './actions.js'
import { addSkillVersion, revokeSkillVersion, updateSkillVersion } from './publish.js'
import {
  filterConditions,
  findSkills,
  getServedVersion,
  getSkill,
  listAskedSkills,
  listSkills,
  listVersions,
  type SkillRow,
} from './queries.js'
import type { Scanner } from './scanner.js'
import { listTrendingTags } from './tags.js'
import { downloadSkill, likeSkill, unlikeSkill } from './use.js'
import { verifySkill } from './verify.js'
import { fullSkillView, scanLabel, scanView, skillViews, versionView } from './view.js'

export function skillRoutes(scanner: Scanner, skillSearch: Search['skills']) {
  /** A search without `sortBy` lists the best match first. */
  async function findPage(
    db: Db,
    viewer: Viewer | undefined,
    { search = '', creator, ids: asked, ...input }: Input<Endpoints['listSkills']>,
  ): Promise<Page<SkillRow>> {
    if (asked !== undefined) return listAskedSkills(db, viewer, readAsked(asked))
    const agent = isAgentViewer(viewer) ? viewer : undefined
    const request =
      creator === undefined ? input : { ...input, creatorId: (await findAgent(db, creator, agent))?.id ?? NO_ID }
    if (!skillSearch.isSearchable(search)) return listSkills(db, viewer, request)
    const { page: _, limit: __, cursor: ___, ...filters } = request
    const where = filterConditions(viewer, filters)
    if (request.sortBy !== undefined) {
      const ids = (await skillSearch.rank(viewer, search, where)).map(({ id }) => id)
      return listSkills(db, viewer, { ...request, ids })
    }
    const { rows, meta } = await skillSearch.readPage(viewer, search, filters, request, where)
    const ids = rows.map(({ id }) => id)
    const byId = await findSkills(db, viewer, ids)
    return { rows: ids.flatMap((id) => byId.get(id) ?? []), meta }
  }

  /** The raw document. Workflows and other types have theirs under different file names. */
  async function getDocument(
    db: Db,
    viewer: Viewer | undefined,
    request: { id: string; v?: string },
    isWorkflow: boolean,
  ) {
    const { skill, version } = await getServedVersion(db, viewer, request)
    if ((skill.type === 'workflow') !== isWorkflow) {
      const file = isWorkflow ? 'SKILL.md' : 'WORKFLOW.md'
      throw new Problem('SKILL_NOT_FOUND', { message: `This item is a ${skill.type}. Its document is ${file}.` })
    }
    return new LabelledText(version.document, { 'Skill-Scan': scanLabel(version) })
  }

  return {
    async listSkills({ viewer, input, deps: { db } }) {
      const { rows, meta } = await findPage(db, viewer, input)
      return { data: await skillViews(db, viewer, rows), meta }
    },

    getSkill: async ({ viewer, input, deps: { db } }) =>
      fullSkillView(db, viewer, await getSkill(db, viewer, input.id)),

    async listSkillVersions({ viewer, input: { id, ...request }, deps: { db } }) {
      const skill = await getSkill(db, viewer, id)
      const { rows, meta } = await listVersions(db, viewer, skill, request)
      return { data: rows.map((row) => versionView(row, skill.wallet_address)), meta }
    },

    async createSkill({ caller, input, deps }) {
      const creator = await getActingAgent(deps.db, caller)
      return fullSkillView(deps.db, creator, await createSkill({ ...deps, scanner }, creator, input))
    },

    async updateSkill({ caller, input, deps }) {
      const creator = await getActingAgent(deps.db, caller)
      return fullSkillView(deps.db, creator, await updateSkill({ ...deps, scanner }, creator, input))
    },

    deleteSkill: async ({ caller, input, deps }) => ({
      id: await deleteSkill({ ...deps, scanner }, await getActingAgent(deps.db, caller), input),
      deleted: true,
    }),

    async addSkillVersion({ caller, input, deps }) {
      const { version, signer } = await addSkillVersion(
        { ...deps, scanner },
        await getActingAgent(deps.db, caller),
        input,
      )
      return versionView(version, signer)
    },

    async updateSkillVersion({ caller, input, deps }) {
      const { version, signer } = await updateSkillVersion(
        { ...deps, scanner },
        await getActingAgent(deps.db, caller),
        input,
      )
      return versionView(version, signer)
    },

    async revokeSkillVersion({ caller, input, deps }) {
      const { revokedAt, ...revocation } = await revokeSkillVersion(
        { ...deps, scanner },
        await getActingAgent(deps.db, caller),
        input,
      )
      return { ...revocation, revokedAt: revokedAt.toISOString() }
    },

    likeSkill: ({ agent, input, deps }) => likeSkill(deps, agent, input),
    unlikeSkill: ({ agent, input, deps }) => unlikeSkill(deps, agent, input),

    async downloadSkill({ viewer, input, deps }) {
      const { skill, version, downloadCount } = await downloadSkill(deps, viewer, input)
      const file = skill.type === 'workflow' ? 'WORKFLOW.md' : 'SKILL.md'
      return {
        id: skill.id,
        downloadCount,
        versionNumber: version.number,
        digest: version.digest,
        content: version.document,
        scan: scanView(version),
        url: `${deps.config.webUrl}/v1/skill-market/${skill.id}/${file}?v=${encodeURIComponent(version.number)}`,
      }
    },

    getTrendingTags: async ({ input, deps: { db, clock } }) => ({
      tags: await listTrendingTags(db, clock.now(), input.limit ?? 20),
    }),
    getSkillMarkdown: ({ viewer, input, deps }) => getDocument(deps.db, viewer, input, false),
    getWorkflowMarkdown: ({ viewer, input, deps }) => getDocument(deps.db, viewer, input, true),
    verifySkill: ({ input, deps }) => verifySkill(deps.db, input),
  } satisfies Partial<Handlers>
}
