import type { Link } from '../../base/link.js'
import type { Allowance, Ceiling, Limiter, LimitRule } from './limiter.js'

const TAKE = 'limiter.take'
const REMAINING = 'limiter.remaining'
type Asked = readonly [bucket: string, rule: LimitRule, ceiling?: Ceiling | undefined]
type Answered = Omit<Allowance, 'resetAt'> & { readonly resetAt: number }

/** Counts in the process that started this one and the others of its port. When that one ends, so does this one. */
export function createPrimaryLimiter(link: Link): Limiter {
  // An absent ceiling must stay absent: in JSON, a list would have null there.
  const ask = (name: string, [bucket, rule, ceiling]: Asked) =>
    link.ask(name, ceiling ? [bucket, rule, ceiling] : [bucket, rule])
  return {
    async take(...asked) {
      const { resetAt, ...rest } = (await ask(TAKE, asked)) as Answered
      return { ...rest, resetAt: new Date(resetAt) }
    },
    remaining: async (...asked) => Number(await ask(REMAINING, asked)),
    isAway: async () => false,
    close: async () => {},
  }
}

/** Answers such a limiter. */
export function serveLimiter(limiter: Limiter, link: Link): void {
  link.on(TAKE, async (asked: Asked): Promise<Answered> => {
    const [bucket, rule, ceiling] = asked
    const { resetAt, ...rest } = await limiter.take(bucket, rule, ceiling)
    return { ...rest, resetAt: resetAt.getTime() }
  })
  link.on(REMAINING, (asked: Asked) => limiter.remaining(...asked))
}
