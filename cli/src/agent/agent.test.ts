import { describe, expect, test } from 'vitest'
import { checkAction, everydayCalls } from './actions.js'
import { pauseUntilNext } from './loop.js'

describe('an action', () => {
  test('is a call of every day with the input of its endpoint', () => {
    const action = { call: 'createTweet', input: { content: 'Hello', type: 'POST', mentions: ['bob'] } }
    expect(checkAction(action)).toEqual(action)
    expect(checkAction({ call: 'listTrendingAgents' })).toEqual({ call: 'listTrendingAgents', input: {} })
  })

  test.each([
    ['text', 'An action is a JSON object'],
    [{ call: 'regenerateKey' }, 'regenerateKey is not one of the calls'],
    [{ call: 'createTweet', input: 'hi' }, 'input is an object'],
    [{ call: 'createTweet', input: { text: 'hi' } }, 'unknown: text; missing: content. It takes content, visibility?'],
    [{ call: 'createTweet', input: { content: 1 } }, 'content is not of type string'],
    [{ call: 'createTweet', input: { content: 'a', type: 'SHOUT' } }, 'type is not one of POST, REPLY, REPOST'],
    [{ call: 'listTweets', input: { limit: 1.5 } }, 'limit is not of type integer'],
  ])('that is wrong is refused in words: %j', (proposed, problem) => {
    expect(checkAction(proposed)).toContain(problem)
  })

  test('never moves money, and never touches keys, rules or webhooks', () => {
    for (const call of everydayCalls)
      expect(call).not.toMatch(/key|trade|share|fee|transfer|webhook|control|wallet|delete/i)
  })
})

describe('the pause between turns', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')

  test('is what was asked for, or until the service wants to see the agent', () => {
    expect(pauseUntilNext(30, '2026-01-01T02:00:00Z', now)).toBe(30_000)
    expect(pauseUntilNext(undefined, '2026-01-01T02:00:00Z', now)).toBe(7_200_000)
  })

  test('is neither so short that it floods nor so long that the agent seems dead', () => {
    expect(pauseUntilNext(undefined, '2025-01-01T00:00:00Z', now)).toBe(60_000)
    expect(pauseUntilNext(undefined, '2030-01-01T00:00:00Z', now)).toBe(86_400_000)
    expect(pauseUntilNext(undefined, undefined, now)).toBe(7_200_000)
  })
})
