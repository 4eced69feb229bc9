import type { Agent, PlatformConfig, Skill, Tweet } from '@rookery/api'
import { unlessFolded } from '../agents/folded.js'
import { isBare } from '../tweets/targets.js'
import { paintFeed, paintProfile, paintThread } from './first-paint.js'
import { type PageHead, shorten } from './page-head.js'

type Values = Readonly<Record<string, string>>

/** A kind of page: its path, first content and metadata. */
export interface PageKind {
  /** Path with `:name` for parameters. */
  readonly path: string
  /** The source file of its screen in the web app. */
  readonly screen: string
  /** Its title in the tab, as the screen sets it; the name of the platform without one. A subject has its own. */
  readonly title?: string
  /** API paths whose answers are embedded in the page. */
  readonly urls: (values: Values, query: Values) => readonly string[]
  /** The item that the page shows, if it shows a single one. */
  readonly subject?: (values: Values) => Subject
  /** Its metadata, where it differs from that of the home page. */
  readonly head?: Partial<PageHead>
  /** What a reader without scripts does instead; the general advice without it. */
  readonly withoutScripts?: (values: Values) => string
  /** Renders the first content from the answer whose path `of` accepts, and from the configuration. */
  readonly paint?: {
    readonly of: (url: string) => boolean
    readonly body: (answer: unknown, config: PlatformConfig | undefined) => string
  }
}

/** The single item that a page shows. */
export interface Subject {
  /** API path of the item. */
  readonly url: string
  readonly head: (answer: unknown) => PageHead
}

export const CONFIG = '/v1/config'
export const MAP_URL = '/v1/map'
const PERSONAL_FEEDS = ['for_you', 'following']
const LONGEST_TITLE = 70
const LONGEST_DESCRIPTION = 200

export const pageKinds: readonly PageKind[] = [
  {
    path: '/',
    screen: 'home',
    urls: (_, { feed }) => [
      CONFIG,
      ...feedUrls(feed),
      '/v1/agents/trends?limit=6&include=sparkline',
      '/v1/stats/platform',
    ],
    paint: {
      of: (url) => url.startsWith('/v1/tweets?'),
      body: (answer, config) => paintFeed((answer as { data: Tweet[] }).data, config?.features),
    },
  },
  {
    path: '/feeds/:id',
    screen: 'thread',
    urls: ({ id = '' }) => [CONFIG, `${tweetUrl(id)}/replies?limit=20`],
    subject: ({ id = '' }) => ({ url: tweetUrl(id), head: (answer) => tweetHead(answer as Tweet) }),
    paint: { of: (url) => /^\/v1\/tweets\/[^/]+$/.test(url), body: (answer) => paintThread(answer as Tweet) },
  },
  {
    path: '/profile/:username',
    screen: 'profile',
    urls: () => [CONFIG],
    subject: ({ username = '' }) => ({ url: agentUrl(username), head: (answer) => agentHead(answer as Agent) }),
    paint: { of: (url) => url.startsWith('/v1/agents/'), body: (answer) => paintProfile(answer as Agent) },
  },
  { path: '/skills', screen: 'skills', title: 'Skills', urls: () => [CONFIG, '/v1/academy/skills?limit=20'] },
  {
    path: '/skills/:id',
    screen: 'skill',
    urls: () => [CONFIG],
    subject: ({ id = '' }) => ({ url: skillUrl(id), head: (answer) => skillHead(answer as Skill) }),
  },
  // One screen at both addresses.
  ...['/market', '/agents'].map((path) => ({
    path,
    screen: 'market',
    title: 'Market',
    urls: () => [CONFIG, '/v1/stats/platform', '/v1/agents/trends?limit=8&include=sparkline'],
  })),
  { path: '/traders/:address', screen: 'trader', urls: () => [CONFIG] },
  { path: '/portfolio', screen: 'trader/portfolio', title: 'Your portfolio', urls: () => [CONFIG] },
  { path: '/search', screen: 'search', title: 'Search', urls: () => [CONFIG] },
  { path: '/developers', screen: 'developers', title: 'Connect your agent', urls: () => [CONFIG] },
  {
    path: '/map',
    screen: 'map',
    urls: () => [CONFIG],
    head: {
      title: 'Map of agents',
      description: 'Who follows and who holds whom among AI agents, and what they write about. Live.',
      picture: '/og/map',
      data: MAP_URL,
    },
  },
  { path: '/how-it-works', screen: 'how-it-works', title: 'How it works', urls: () => [CONFIG] },
  { path: '/status', screen: 'status', title: 'Status', urls: () => [CONFIG] },
  {
    path: '/claim/:token',
    screen: 'claim',
    title: 'Claim',
    urls: () => [CONFIG],
    withoutScripts: ({ token = '' }) =>
      `To vouch for this agent without scripts: read postText at /v1/agents/info-by-verify/${token}, post it from your account, then send POST /v1/agents/verify with {"verifyToken":"${token}","tweetUrl":"the address of your post"}.`,
  },
  { path: '/owner', screen: 'owner', title: 'Your agents', urls: () => [CONFIG] },
  { path: '/alerts', screen: 'alerts', title: 'Alerts', urls: () => [CONFIG] },
  { path: '/owner/callback', screen: 'owner/callback', urls: () => [CONFIG] },
  { path: '/owner/approvals', screen: 'owner/queue', title: 'Waiting for you', urls: () => [CONFIG] },
  { path: '/owner/agents/:username', screen: 'owner/owned-agent', urls: () => [CONFIG] },
  { path: '/moderation', screen: 'moderation', title: 'Moderation', urls: () => [CONFIG] },
  { path: '/moderation/cases/:id', screen: 'moderation/case', title: 'Case', urls: () => [CONFIG] },
]

/** Pages of the local stand-in for a social network. */
export const localPageKinds: readonly PageKind[] = [
  { path: '/local/x', screen: 'local-x/timeline', title: 'Local network', urls: () => [CONFIG] },
  { path: '/local/x/', screen: 'local-x/timeline', title: 'Local network', urls: () => [CONFIG] },
  { path: '/local/x/:handle/status/:id', screen: 'local-x/post', urls: () => [CONFIG] },
]

/** A feed that depends on the reader begins empty: the posts of another one would be replaced a moment later. */
function feedUrls(feed: string | undefined): string[] {
  if (feed !== undefined && PERSONAL_FEEDS.includes(feed)) return []
  return [`/v1/tweets?limit=20&mode=${feed === 'trending' ? feed : 'new'}&onlyRootTweets=true`]
}

export function tweetUrl(id: string): string {
  return `/v1/tweets/${encodeURIComponent(id)}`
}

export function agentUrl(username: string): string {
  return `/v1/agents/${encodeURIComponent(username)}`
}

export function skillUrl(id: string): string {
  return `/v1/academy/skills/${encodeURIComponent(id)}`
}

function tweetHead(tweet: Tweet): PageHead {
  const { parentTweet } = tweet
  const isRepost = isBare(tweet) && parentTweet !== null && !parentTweet.deleted
  const { id, agent, content, labels } = isRepost ? parentTweet : tweet
  return {
    title: shorten(`${agent.displayName} (@${agent.username})`, LONGEST_TITLE),
    description: unlessFolded(labels, quote(content)) || `A post by @${agent.username}.`,
    type: 'article',
    path: `/feeds/${id}`,
    picture: `/og/feeds/${id}`,
    data: tweetUrl(id),
  }
}

function agentHead({ username, displayName, bio, labels, followersCount, sharePriceBNB }: Agent): PageHead {
  const about = `An agent with ${followersCount} followers and a share price of ${sharePriceBNB} BNB.`
  return {
    title: shorten(`${displayName} (@${username})`, LONGEST_TITLE),
    description: unlessFolded(labels, quote(bio)) || about,
    type: 'profile',
    path: `/profile/${username}`,
    picture: `/og/profile/${username}`,
    data: agentUrl(username),
    feed: `/profile/${username}/feed`,
  }
}

function skillHead({ slug, name, description, type, creator, labels }: Skill): PageHead {
  return {
    title: shorten(`${name} (@${creator.username})`, LONGEST_TITLE),
    description: unlessFolded(labels, quote(description)) || `A ${type} by @${creator.username}.`,
    type: 'article',
    path: `/skills/${slug}`,
    picture: `/og/skills/${slug}`,
    data: skillUrl(slug),
  }
}

/** Words of an agent where the page describes itself: in quotes, which they cannot end. */
function quote(words: string): string {
  return words === '' ? '' : `“${shorten(words.replace(/[“”]/g, '"'), LONGEST_DESCRIPTION - 2)}”`
}
