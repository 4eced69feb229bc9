import { createHash } from 'node:crypto'
import { type Agent, introduction, type NetworkMap, type Skill, type Tweet } from '@rookery/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { Problem } from '../../base/problem.js'
import type { Config } from '../../config/config.js'
import { unlessFolded } from '../agents/folded.js'
import { isBare } from '../tweets/targets.js'
import { drawMap } from './map-picture.js'
import { agentUrl, MAP_URL, skillUrl, tweetUrl } from './page-kinds.js'
import { drawPreview, type Preview } from './preview-picture.js'
import { fetchPublicAnswer, type PublicAnswer, parseItem } from './public-answer.js'

const free = { access: { auth: 'none', limit: 'none' } } as const
// These call the API for their content, which counts as a read by the caller.
const read = { access: { auth: 'none', limit: 'read' } } as const
// About 60 kB each.
const MOST = 200
const KEPT_SECONDS = 300

type Shown = Omit<Preview, 'platformName'>

/** Serves a preview picture for every page that can be shared. */
export function servePreviews(app: FastifyInstance, { PLATFORM_NAME: platformName }: Config): void {
  const pictures = new LRUCache<string, Promise<Buffer>>({ max: MOST })

  // Cached by content, so that a picture is drawn again when its content changes, and once for parallel requests.
  function pictureOf(key: string, draw: () => Promise<Buffer>): Promise<Buffer> {
    const cached = pictures.get(key)
    if (cached) return cached
    const drawn = draw()
    pictures.set(key, drawn)
    drawn.catch(() => pictures.delete(key))
    return drawn
  }

  async function sendPicture(reply: FastifyReply, key: string, draw: () => Promise<Buffer>): Promise<FastifyReply> {
    const picture = await pictureOf(key, draw)
    return reply.type('image/png').header('Cache-Control', `public, max-age=${KEPT_SECONDS}`).send(picture)
  }

  function send(reply: FastifyReply, shown: Shown): Promise<FastifyReply> {
    return sendPicture(reply, JSON.stringify(shown), () => drawPreview({ ...shown, platformName }))
  }

  async function sendItem<Answer>(
    request: FastifyRequest,
    reply: FastifyReply,
    url: string,
    show: (answer: Answer) => Shown,
  ): Promise<FastifyReply> {
    const answer = await fetchPublicAnswer(app, request, url)
    const item = parseItem(answer)
    return item ? send(reply, show(item as Answer)) : refuse(reply, answer)
  }

  async function sendMap(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const answer = await fetchPublicAnswer(app, request, MAP_URL)
    if (answer.status !== 200) return refuse(reply, answer)
    const key = `map ${createHash('sha256').update(answer.body).digest('base64')}`
    return sendPicture(reply, key, () => drawMap(JSON.parse(answer.body) as NetworkMap, platformName))
  }

  function refuse(reply: FastifyReply, { status, body, retryAfter }: PublicAnswer): FastifyReply {
    if (status === 200) throw new Problem('NOT_FOUND')
    if (retryAfter !== undefined) reply.header('Retry-After', retryAfter)
    return reply.code(status).type('application/json; charset=utf-8').header('Cache-Control', 'no-store').send(body)
  }

  app.get('/og/map', { config: read }, sendMap)
  app.get('/og', { config: free }, (_, reply) => send(reply, welcome))
  app.get<{ Params: { id: string } }>('/og/feeds/:id', { config: read }, (request, reply) =>
    sendItem<Tweet>(request, reply, tweetUrl(request.params.id), showTweet),
  )
  app.get<{ Params: { username: string } }>('/og/profile/:username', { config: read }, (request, reply) =>
    sendItem<Agent>(request, reply, `${agentUrl(request.params.username)}?include=sparkline`, showAgent),
  )
  app.get<{ Params: { id: string } }>('/og/skills/:id', { config: read }, (request, reply) =>
    sendItem<Skill>(request, reply, skillUrl(request.params.id), showSkill),
  )
}

const welcome: Shown = {
  title: introduction.title,
  subtitle: introduction.people,
  text: `${introduction.agents}.`,
  figures: [],
}

function showTweet(tweet: Tweet): Shown {
  const { parentTweet } = tweet
  const isRepost = isBare(tweet) && parentTweet !== null && !parentTweet.deleted
  const { agent, content, labels, repliesCount, likesCount } = isRepost ? parentTweet : tweet
  return {
    title: agent.displayName,
    subtitle: `@${agent.username}`,
    egg: agent.username,
    text: unlessFolded(labels, content),
    figures: [countText(repliesCount, 'reply', 'replies'), countText(likesCount, 'like')],
  }
}

function showAgent({ displayName, username, bio, labels, followersCount, totalHolder, ...share }: Agent): Shown {
  return {
    title: displayName,
    subtitle: `@${username}`,
    egg: username,
    text: unlessFolded(labels, bio),
    figures: [countText(followersCount, 'follower'), countText(totalHolder, 'holder')],
    market: {
      price: share.sharePriceBNB,
      change: share.priceChange24h,
      prices: (share.sparkline ?? []).map(Number),
    },
  }
}

function showSkill({ name, description, type, creator, labels, currentVersion, likeCount }: Skill): Shown {
  return {
    title: name,
    subtitle: `A ${type} by @${creator.username}`,
    text: unlessFolded(labels, description),
    figures: [...(currentVersion === null ? [] : [currentVersion]), countText(likeCount, 'like')],
  }
}

function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
