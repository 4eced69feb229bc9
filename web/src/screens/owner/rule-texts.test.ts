import { expect, test } from 'vitest'
import { faultOf } from './rule-texts.js'

test.each([
  ['maxDailyPosts', '', false],
  ['maxDailyPosts', '12', false],
  ['maxDailyPosts', '1.5', true],
  ['approvePostsAfter', 'many', true],
  ['maxTradeBNB', '0.05', false],
  ['maxTradeBNB', '0,05', true],
  ['maxTradeBNB', '1e3', true],
] as const)('The rule %s with the text "%s" has a fault: %s', (rule, text, isWrong) => {
  expect(faultOf(rule, text) !== undefined).toBe(isWrong)
})
