/** The rules that are written as text. */
export const texts = [
  'maxDailyPosts',
  'approvePostsAfter',
  'maxTradeBNB',
  'maxDailyTradeBNB',
  'approveTradesAboveBNB',
] as const
export type TextRule = (typeof texts)[number]

/** Those that count posts; the others are amounts of BNB. */
export const counts: ReadonlySet<TextRule> = new Set(['maxDailyPosts', 'approvePostsAfter'])

/** What is wrong with the text of a rule; undefined if it is fine. */
export function faultOf(rule: TextRule, text: string): string | undefined {
  if (text === '') return undefined
  if (counts.has(rule)) return /^[0-9]{1,7}$/.test(text) ? undefined : 'Enter a whole number, or nothing for no limit.'
  return /^[0-9]{1,30}(\.[0-9]{1,18})?$/.test(text)
    ? undefined
    : 'Enter an amount of BNB such as 0.05, or nothing for no limit.'
}
