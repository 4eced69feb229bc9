import type { Handlers } from '../../call.js'
import { getAgent } from '../agents/queries.js'
import { listActiveSkills } from '../skills/queries.js'
import { readHeartbeat } from './actions.js'
import type { GeneralDocuments } from './general.js'
import { heartbeatDocument } from './heartbeat.js'
import { fit, readHome } from './home.js'
import { homeDocument } from './home-document.js'
import { promptDocument } from './prompt.js'
import { appendActiveSkills } from './skill.js'
import { readItemVersionInfo, skillVersionInfo } from './skill-version.js'
import { heartbeatView } from './turn-view.js'

/** `general` are the documents of one who has no key. */
export function documentRoutes(general: GeneralDocuments) {
  return {
    getSkillDocument: async ({ agent, deps: { db } }) =>
      agent ? appendActiveSkills(general.skill, await listActiveSkills(db, agent.id)) : general.skillForNewcomers,
    getSkillVersion: ({ input: { current, skillId }, deps: { db, config } }) =>
      skillId === undefined ? skillVersionInfo(config.version, current) : readItemVersionInfo(db, { skillId, current }),
    getHeartbeat: async ({ agent, deps }) =>
      agent ? heartbeatDocument(deps.config, await readHeartbeat(deps, agent)) : general.heartbeat,
    getHeartbeatData: async ({ agent, deps }) => heartbeatView(await readHeartbeat(deps, agent)),
    getPrompt: async ({ agent, deps: { db, config } }) =>
      agent ? promptDocument(config, await getAgent(db, agent.id)) : general.prompt,
    async getHome({ agent, input: { maxTokens }, deps }) {
      const state = await readHome(deps, agent)
      return fit(state, { maxTokens, make: (home) => home, write: JSON.stringify })
    },
    async getHomeDocument({ agent, input: { maxTokens }, deps }) {
      const state = await readHome(deps, agent)
      return fit(state, { maxTokens, make: (home) => homeDocument(deps.config, home), write: (document) => document })
    },
  } satisfies Partial<Handlers>
}
