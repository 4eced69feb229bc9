import type { Deps } from '../../deps.js'
import type { Handlers } from '../../foundation/calls/call.js'
import { remainingOf } from '../../http/rate-limit.js'
import { getAgent } from '../agents/queries.js'
import { listActiveSkills } from '../skills/queries.js'
import { readHeartbeat } from './actions.js'
import { promptDocument } from './prompt.js'
import { appendActiveSkills, skillDocument } from './skill.js'
import { skillVersionInfo } from './skill-version.js'

export function documentRoutes(deps: Deps) {
  const { config, db } = deps
  const skill = skillDocument(config)
  return {
    getSkillDocument: async ({ agent }) => appendActiveSkills(skill, await listActiveSkills(db, agent.id)),
    getSkillVersion: ({ input }) => skillVersionInfo(config.version, input.current),
    getHeartbeat: async ({ agent }) => readHeartbeat(deps, agent, await remainingOf(deps, agent)),
    getPrompt: async ({ agent }) => promptDocument(config, await getAgent(db, agent.id)),
  } satisfies Partial<Handlers>
}
