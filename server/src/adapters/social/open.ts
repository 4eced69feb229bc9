import type { Clock } from '../../base/clock.js'
import type { Config } from '../../config/config.js'
import type { Limiter } from '../limiter/limiter.js'
import { createCallBudget } from './call-budget.js'
import { createLocalSocialNetwork, type LocalPosts } from './local.js'
import type { SocialNetwork } from './social-network.js'
import { createXSocialNetwork } from './x.js'
import { createXOembedSocialNetwork } from './x-oembed.js'

export function openSocialNetwork(config: Config, db: LocalPosts, clock: Clock, limiter: Limiter): SocialNetwork {
  const now = () => clock.now().getTime()
  const budget = createCallBudget(limiter, clock, config.X_CALLS_PER_15_MIN)
  if (config.SOCIAL_NETWORK === 'x')
    return createXSocialNetwork({ bearerToken: config.X_BEARER_TOKEN ?? '', now, budget })
  if (config.SOCIAL_NETWORK === 'x-oembed') return createXOembedSocialNetwork({ now, budget })
  return createLocalSocialNetwork({ db, webUrl: config.webUrl })
}
