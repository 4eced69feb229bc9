/** The service in this process, without a port: for programs that call its features themselves. */
export { createApp } from '../src/app.js'
export { readConfig } from '../src/config/config.js'
export type { Deps } from '../src/deps.js'
export { postCap } from '../src/features/control/rules.js'
export {
  followedSource,
  likedByFollowedSource,
  listCandidates,
  privateTrendingSource,
} from '../src/features/feeds/sources.js'
export { followAgents } from '../src/features/follows/actions.js'
export { type Features, openFeatures } from '../src/features/open-features.js'
export { getPlatformStats } from '../src/features/platform/queries.js'
export { registerAgent } from '../src/features/registration/register.js'
export { createTweet } from '../src/features/tweets/create.js'
export { tweetJobs } from '../src/features/tweets/jobs.js'
export { likeTweets } from '../src/features/tweets/likes.js'
export { type AgentIdentity, createIdentities } from '../src/foundation/callers/agent-identities.js'
export { createWorker } from '../src/foundation/jobs/worker.js'
export { createLonePeers } from '../src/foundation/peers/peers.js'
export { ReadyJson } from '../src/foundation/ready-json.js'
export { createJobHandlers } from '../src/start/job-handlers.js'
export { type OpenDeps, openDeps } from '../src/start/open-deps.js'
