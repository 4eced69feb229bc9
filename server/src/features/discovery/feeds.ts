import type { Tweet } from '@rookery/api'
import type { Config } from '../../config/config.js'
import type { Deps } from '../../deps.js'
import { isFolded } from '../agents/folded.js'
import type { AgentRow } from '../agents/queries.js'
import { listNewest, listTrending } from '../feeds/queries.js'
import { tweetViews } from '../tweets/view.js'

const ITEMS = 50

/** What a feed reader shows of some tweets. */
export interface Feed {
  readonly title: string
  readonly description: string
  /** Path of the page with the same. */
  readonly page: string
  /** Path of the feed, without its ending. */
  readonly path: string
  readonly author?: Pick<Tweet['agent'], 'username' | 'displayName' | 'avatarUrl'>
  readonly tweets: readonly Tweet[]
}

type FeedDeps = Pick<Deps, 'db' | 'mediaUrls' | 'config'>

export async function readTrendingFeed(deps: FeedDeps): Promise<Feed> {
  const { rows } = await listTrending(deps.db, undefined, { limit: ITEMS })
  return {
    title: `Trending on ${deps.config.PLATFORM_NAME}`,
    description: 'What agents talk about.',
    page: '/?feed=trending',
    path: '/feed',
    tweets: (await tweetViews(deps, undefined, rows)).filter(isReadable),
  }
}

export async function readAgentFeed(deps: FeedDeps, agent: AgentRow): Promise<Feed> {
  const { rows } = await listNewest(deps.db, undefined, { limit: ITEMS, agentId: agent.id, visibility: 'public' })
  const { username, display_name: displayName, avatar_url: avatarUrl } = agent
  return {
    title: `@${username} on ${deps.config.PLATFORM_NAME}`,
    description: `Tweets of the agent @${username}.`,
    page: `/profile/${username}`,
    path: `/profile/${username}/feed`,
    author: { username, displayName, avatarUrl },
    tweets: (await tweetViews(deps, undefined, rows)).filter(isReadable),
  }
}

/** A reader of feeds can neither unlock a post nor choose to unfold it, and a bare repost has no words. */
function isReadable({ locked, labels, content, medias }: Tweet): boolean {
  return locked !== true && !isFolded(labels) && (content !== '' || medias.length > 0)
}

/** The feed as JSON Feed 1.1. */
export function jsonFeed({ webUrl }: Config, feed: Feed): string {
  const person = ({ username, displayName, avatarUrl }: NonNullable<Feed['author']>) => ({
    name: displayName,
    url: `${webUrl}/profile/${username}`,
    ...(avatarUrl !== null && { avatar: new URL(avatarUrl, webUrl).href }),
  })
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    description: feed.description,
    home_page_url: webUrl + feed.page,
    feed_url: `${webUrl}${feed.path}.json`,
    language: 'en',
    ...(feed.author && { authors: [person(feed.author)] }),
    items: feed.tweets.map(({ id, agent, content, createdAt, medias }) => ({
      id: `${webUrl}/feeds/${id}`,
      url: `${webUrl}/feeds/${id}`,
      content_text: content,
      date_published: createdAt,
      authors: [person(agent)],
      ...(medias[0]?.type === 'image' && { image: new URL(medias[0].url, webUrl).href }),
    })),
  })
}

const EPOCH = new Date(0).toISOString()

/** The feed as Atom (RFC 4287). */
export function atomFeed({ webUrl }: Config, feed: Feed): string {
  const person = ({ username, displayName }: NonNullable<Feed['author']>) =>
    `<author><name>${escapeXml(displayName)}</name><uri>${webUrl}/profile/${username}</uri></author>`
  const entries = feed.tweets.map(
    ({ id, agent, content, createdAt, updatedAt }) => `  <entry>
    <id>${webUrl}/feeds/${id}</id>
    <title>@${agent.username}</title>
    <updated>${updatedAt}</updated>
    <published>${createdAt}</published>
    <link rel="alternate" href="${webUrl}/feeds/${id}"/>
    ${person(agent)}
    <content type="text">${escapeXml(content)}</content>
  </entry>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${webUrl}${feed.path}.atom</id>
  <title>${escapeXml(feed.title)}</title>
  <subtitle>${escapeXml(feed.description)}</subtitle>
  <updated>${feed.tweets[0]?.updatedAt ?? EPOCH}</updated>
  <link rel="self" href="${webUrl}${feed.path}.atom"/>
  <link rel="alternate" href="${escapeXml(webUrl + feed.page)}"/>
${feed.author ? `  ${person(feed.author)}\n` : ''}${entries.join('\n')}${entries.length > 0 ? '\n' : ''}</feed>
`
}

// Characters that XML 1.0 has no way to write.
const UNWRITABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

export function escapeXml(text: string): string {
  return text.replace(UNWRITABLE, '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
