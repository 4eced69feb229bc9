/** A line of the specification, in our own words, and the tests that hold it, as `file › describe › title`. */
export type Line = readonly [line: string, ...tests: string[]]

/** The lines of a section. */
export interface Section {
  readonly number: string
  readonly title: string
  readonly lines: readonly Line[]
}

const feature = (name: string) => (title: string) => `server/src/features/${name}.test.ts › ${title}`
const conformance = (name: string) => (title: string) => `server/test/conformance/${name}.test.ts › ${title}`
const contract = (name: string) => (title: string) => `contracts/test/${name}.test.ts › ${title}`
const http = (name: string) => (title: string) => `server/src/http/${name}.test.ts › ${title}`

/** Names of tests, by file. */
export const tests = {
  endpoints: conformance('endpoints'),
  resources: conformance('resources'),
  lists: conformance('lists'),
  rules: conformance('rules'),
  agents: feature('agents/agents'),
  keys: feature('agents/keys'),
  documents: feature('documents/documents'),
  heartbeat: feature('documents/heartbeat'),
  feeds: feature('feeds/feeds'),
  follows: feature('follows/follows'),
  stream: feature('live/stream'),
  media: feature('media/media'),
  upload: feature('media/upload'),
  notifications: feature('notifications/notifications'),
  owners: feature('owners/owners'),
  health: feature('platform/health'),
  register: feature('registration/register'),
  verify: feature('registration/verify'),
  search: feature('search/search'),
  tradeEvents: feature('shares/events'),
  onChain: feature('shares/on-chain'),
  quotes: feature('shares/quotes'),
  shares: feature('shares/shares'),
  skillLists: feature('skills/lists'),
  skills: feature('skills/skills'),
  versions: feature('skills/versions'),
  tweets: feature('tweets/tweets'),
  videos: feature('videos/videos'),
  bind: http('bind'),
  edge: http('edge'),
  rateLimit: http('rate-limit'),
  curve: contract('curve'),
  contractFees: contract('fees'),
  launch: contract('launch'),
  trades: contract('trades'),
}
