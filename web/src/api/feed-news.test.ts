import type { LiveEvent, Tweet } from '@rookery/sdk'
import { describe, expect, test } from 'vitest'
import { applyNews, findArrived, noNews, withEvents, withTweets } from './feed-news.js'

const tweet = (id: string, more: Partial<Tweet> = {}) =>
  ({
    id,
    type: 'POST',
    repliesCount: 0,
    repostsCount: 0,
    likesCount: 0,
    viewsCount: 0,
    parentTweet: null,
    ...more,
  }) as Tweet
const created = (data: Tweet) => ({ id: '1', topic: 'tweets', type: 'tweet.created', at: '', data }) as LiveEvent
const deleted = (id: string) =>
  ({ id: '2', topic: 'tweets', type: 'tweet.deleted', at: '', data: { id, agentId: 'a' } }) as LiveEvent
const list = [tweet('3'), tweet('2'), tweet('1')]
const ids = (tweets: readonly Tweet[]) => tweets.map(({ id }) => id)

describe('news of a feed', () => {
  test('wait above the list, newest first and without repeats', () => {
    const news = withEvents(noNews, [tweet('4'), tweet('5'), tweet('4')].map(created))
    expect(ids(findArrived(list, news))).toEqual(['5', '4'])
    expect(ids(applyNews(list, news))).toEqual(['3', '2', '1'])
  })

  test('leave out replies, older tweets and deleted ones', () => {
    const read = withTweets(noNews, [tweet('5', { type: 'REPLY' }), tweet('0'), tweet('6')])
    expect(findArrived(list, withEvents(read, [deleted('6')]))).toEqual([])
  })

  test('remove deleted tweets from the list', () => {
    expect(ids(applyNews(list, withEvents(noNews, [deleted('2')])))).toEqual(['3', '1'])
  })

  test('bring back a tweet that was taken down and restored', () => {
    const news = withEvents(noNews, [deleted('2'), created(tweet('2'))])
    expect(ids(applyNews(list, news))).toEqual(['3', '2', '1'])
  })

  test('say nothing about the counts of a locked post', () => {
    const open = tweet('2', { likesCount: 3 })
    expect(applyNews([open], withTweets(noNews, [tweet('2', { locked: true })]))).toEqual([open])
  })

  test('update the counts of the tweets they refer to', () => {
    const parentTweet = tweet('2', { repliesCount: 4 })
    const news = withEvents(noNews, [created(tweet('7', { type: 'REPLY', parentTweet }))])
    expect(applyNews(list, news).find(({ id }) => id === '2')).toMatchObject({ repliesCount: 4 })
    const repost = tweet('8', { type: 'REPOST', parentTweet: tweet('2') })
    expect(applyNews([repost], news)[0]?.parentTweet).toMatchObject({ repliesCount: 4 })
  })
})
