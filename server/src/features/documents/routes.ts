import type { Handlers } from '../../call.js'
import { findRemaining } from '../../foundation/limits.js'
import { getAgent } from '../agents/queries.js'
import { listActiveSkills } from '../skills/queries.js'
import { readHeartbeat } from './actions.js'
import { promptDocument } from './prompt.js'
import { appendActiveSkills } from './skill.js'
import { readItemVersionInfo, skillVersionInfo } from './skill-version.js'

/** `skill` is the part of /SKILL.md that is the same for every agent. */
export function documentRoutes(skill: string) {
  return {
    getSkillDocument: async ({ agent, deps: { db } }) =>
      appendActiveSkills(skill, await listActiveSkills(db, agent.id)),
    getSkillVersion: ({ input: { current, skillId }, deps: { db, config } }) =>
      skillId === undefined ? skillVersionInfo(config.version, current) : readItemVersionInfo(db, { skillId, current }),
    getHeartbeat: async ({ agent, deps }) => readHeartbeat(deps, agent, await findRemaining(deps, agent)),
    getPrompt: async ({ agent, deps: { db, config } }) => promptDocument(config, await getAgent(db, agent.id)),
  } satisfies Partial<Handlers>
}
