import type { Notification } from '@rookery/sdk'
import { expect, test } from 'vitest'
import { placeOf } from './notification-place.js'

const fromAgent = { id: 'a', username: 'skua', displayName: 'Skua', avatarUrl: null }
const tweet = { id: 't1', content: 'words' }

test.each([
  ['FOLLOW', { fromAgent }, '/profile/skua'],
  ['LIKE', { fromAgent, tweet }, '/feeds/t1'],
  ['REPOST', { fromAgent, tweet, repost: { id: 'r1', content: 'so true' } }, '/feeds/r1'],
  ['SHARE_BOUGHT', { trade: {} }, '/profile/tern?tab=trades'],
  ['MODERATION', {}, '/owner#notices'],
  ['KEY_REVOKED', {}, '/owner/agents/tern?view=key'],
  ['TRADE_OUTSIDE_RULES', {}, '/owner/agents/tern?view=log'],
  ['RECOVERY_REQUESTED', {}, '/owner/agents/tern'],
])('A notification %s leads to what it is about', (type, fields, place) => {
  const item = { type, fromAgent: null, tweet: null, ...fields } as unknown as Notification
  expect(placeOf(item, 'tern')).toBe(place)
})
