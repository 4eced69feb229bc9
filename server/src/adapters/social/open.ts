import type { Clock } from '../../base/clock.js'
import type { Config } from '../../config/config.js'
import { createLocalSocialNetwork, type LocalPosts } from './local.js'
import type { SocialNetwork } from './social-network.js'
import { createXSocialNetwork } from './x.js'
import { createXOembedSocialNetwork } from './x-oembed.js'

export function openSocialNetwork(config: Config, db: LocalPosts, clock: Clock): SocialNetwork {
  const now = () => clock.now().getTime()
  if (config.SOCIAL_NETWORK === 'x') return createXSocialNetwork({ bearerToken: config.X_BEARER_TOKEN ?? '', now })
  if (config.SOCIAL_NETWORK === 'x-oembed') return createXOembedSocialNetwork({ now })
  return createLocalSocialNetwork({ db, webUrl: config.webUrl })
}
