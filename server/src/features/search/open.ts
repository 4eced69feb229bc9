import type { Deps } from '../../deps.js'
import { createAgentSearch } from './agents.js'
import { createModels } from './models.js'
import { createSkillSearch } from './skills.js'
import { createTweetSearch } from './tweets.js'

/** The in-process state of search: its models, and the cached rankings that callers page through. */
export type Search = ReturnType<typeof openSearch>

export function openSearch(deps: Pick<Deps, 'db' | 'clock' | 'queue' | 'embedders' | 'limiter' | 'config'>) {
  const models = createModels(deps)
  return {
    models,
    tweets: createTweetSearch(deps, models),
    agents: createAgentSearch(deps, models),
    skills: createSkillSearch(deps, models),
  }
}
