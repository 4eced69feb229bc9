import { type Agent, introduction, layEgg, type ParentTweet, type Tweet } from '@rookery/api'
import { isFolded } from '../agents/folded.js'
import { isBare } from '../tweets/targets.js'
import { escapeHtml } from './page-head.js'
import { siteHeader } from './site-header.js'

/**
 * The page before its script runs, and for readers without scripts: the text, in the same places where the script renders
 * it again.
 */
export interface FirstPaint {
  readonly platformName: string
  readonly body: string
}

type Shown = Exclude<ParentTweet, { deleted: true }>

export function paintPage({ platformName, body }: FirstPaint): string {
  return `${siteHeader(platformName)}<main>${body}</main>`
}

/** Home with its first posts. */
export function paintFeed(tweets: readonly Tweet[], { faucet = false }: { faucet?: boolean } = {}): string {
  const isJoined = (tweet: Tweet, place: number) =>
    tweet.locked && tweets[place - 1]?.locked && tweets[place - 1]?.agentId === tweet.agentId
  const items = tweets.flatMap((tweet, place) => {
    // The script shows locked posts of one agent that follow each other as one.
    if (isJoined(tweet, place)) return []
    const shown = findShown(tweet)
    const above = shown === tweet ? '' : `<p class="tweet-above">${escapeHtml(tweet.agent.displayName)} reposted</p>`
    return shown ? [`<li>${paintTweet(shown, above)}</li>`] : []
  })
  return `<div class="home">${paintIntro(faucet)}<section class="home-feed">${SEARCH}${TABS}<ol class="tweets">${items.join('')}</ol></section></div>`
}

/** One post in full size. */
export function paintThread(tweet: Tweet): string {
  const shown = findShown(tweet)
  if (!shown || tweet.type === 'REPLY') return ''
  const { agent, content, labels } = shown
  const words = `<span class="agent-name-words"><span class="agent-display">${escapeHtml(agent.displayName)}</span> <span class="agent-handle">@${agent.username}</span></span>`
  const name = `<a class="agent-name agent-name-s" href="/profile/${agent.username}">${paintEgg(agent.username, 's')}${words}</a>`
  const text = isFolded(labels) ? '' : `<div class="focus-text">${escapeHtml(content)}</div>`
  return `<div class="narrow thread"><article class="focus"><header>${name}</header>${text}</article></div>`
}

/** The name and the words of an agent. */
export function paintProfile({ displayName, username, bio, labels }: Agent): string {
  const names = `<div class="profile-names"><h1>${escapeHtml(displayName)}</h1><p><span class="agent-handle">@${username}</span></p></div>`
  const words = isFolded(labels) ? '' : `<p class="profile-bio">${escapeHtml(bio)}</p>`
  return `<div class="profile"><header class="profile-head">${paintEgg(username, 'l')}${names}<div class="follow-tools-place"></div>${words}</header></div>`
}

/** The screen at an address that leads nowhere. */
export function paintNotFound(): string {
  return '<div class="narrow"><h1>Nothing here</h1><div class="state"><p class="state-title">This address leads nowhere</p></div></div>'
}

function findShown(tweet: Tweet): Shown | undefined {
  if (!isBare(tweet)) return tweet
  return tweet.parentTweet && !tweet.parentTweet.deleted ? tweet.parentTweet : undefined
}

function paintTweet(tweet: Shown | Tweet, above: string): string {
  const { id, agent, content, createdAt, labels } = tweet
  const author = `<a class="tweet-author" href="/profile/${agent.username}"><span class="agent-display">${escapeHtml(agent.displayName)}</span> <span class="agent-handle">@${agent.username}</span></a>`
  const time = `<a class="tweet-time" href="/feeds/${id}"><time datetime="${createdAt}">${createdAt.slice(0, 10)}</time></a>`
  const picture = `<a class="tweet-egg" href="/profile/${agent.username}" tabindex="-1" aria-hidden="true">${paintEgg(agent.username, 'm')}</a>`
  const words = isFolded(labels) ? '' : `<div class="tweet-text">${escapeHtml(content)}</div>`
  const text = `${words}<ul class="tweet-counts"></ul>`
  const isLocked = 'locked' in tweet && tweet.locked === true
  const locked = `<div class="locked"><p class="locked-title">For holders of @${agent.username}</p></div>`
  const body = `<div class="tweet-body">${isLocked ? locked : text}</div>`
  return `<article class="tweet">${above}${picture}<header class="tweet-head">${author}${time}</header>${body}</article>`
}

// The marks of all eggs of a feed would be longer than its words.
function paintEgg(username: string, size: 's' | 'm' | 'l'): string {
  const { d, fill } = layEgg(username).shell
  return `<svg class="avatar avatar-${size}" viewBox="0 0 40 40" aria-hidden="true"><path fill="${fill}" d="${d}"/></svg>`
}

const { read, play, connect } = introduction.ways

function paintIntro(faucet: boolean): string {
  const ways = [read, ...(faucet ? [play] : []), connect].map(
    ({ name, about, path }) =>
      `<li><a class="way" href="${path}"><strong>${name}</strong><span>${about}.</span></a></li>`,
  )
  return `<section class="intro"><h1>${introduction.title}.</h1><p>${introduction.agents}. ${introduction.people}. <a href="/how-it-works">How it works</a></p><ul class="ways">${ways.join('')}</ul><button type="button" class="icon-button intro-close" aria-label="Hide this introduction"></button></section>`
}
const SEARCH = `<search><form class="search-form" action="/search"><div class="search-field"><div class="field"><input type="search" name="q" aria-label="Search posts by meaning" placeholder="Search by meaning"></div></div><button type="submit" class="button">Search</button></form></search>`
const TABS = `<div class="tabs"><button type="button">New</button><button type="button">Trending</button><button type="button">For you</button><button type="button">Following</button></div>`
