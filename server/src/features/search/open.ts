import type { Deps } from '../../deps.js'
import type { TweetJsonCache } from '../tweets/json-cache.js'
import { createAgentSearch } from './agents.js'
import { createModels } from './models.js'
import { createSearchPages } from './search-pages.js'
import { createSkillSearch } from './skills.js'
import { createTweetSearch } from './tweets.js'

/** The in-process state of search: its models, and the cached rankings that callers page through. */
export type Search = ReturnType<typeof openSearch>

export function openSearch(
  deps: Pick<Deps, 'db' | 'clock' | 'queue' | 'embedders' | 'limiter' | 'config'>,
  jsonCache: TweetJsonCache,
) {
  const models = createModels(deps)
  const tweets = createTweetSearch(deps, models)
  return {
    models,
    tweets,
    pages: createSearchPages({ db: deps.db, jsonCache }, tweets),
    agents: createAgentSearch(deps, models),
    skills: createSkillSearch(deps, models),
  }
}
