/** The size and seed of the data set. Stored in the database, so that a later run continues the same one. */
export interface SeedPlan {
  readonly agents: number
  readonly tweets: number
  readonly follows: number
  readonly likes: number
  readonly seed: number
  /** The moment of the newest tweet, in milliseconds. */
  readonly until: number
}

export const DAY_MS = 24 * 60 * 60_000
/** Tweets, follows and likes happen in this time before `until`; agents register before it. */
export const TWEETED_MS = 30 * DAY_MS
const JOINED_MS = 90 * DAY_MS

/** Every tenth tweet belongs to one block: six posts, one that may be private, two replies and a repost. */
export const BLOCK = 10
/** Every tenth agent has shares, and may post for its holders. */
export const LAUNCHED_EVERY = 10
/** No inbox goes back further than this. */
export const INBOX_MS = 7 * DAY_MS

/**
 * Functions in a separate schema that determine every row: `u` gives the n-th number of a uniform random stream, the others
 * give the n-th agent, the time of the n-th tweet, and so on. Nothing depends on what ran before.
 */
export function generatorSql(
  plan: SeedPlan,
  words: readonly (readonly string[])[],
  topicNames: readonly string[],
): string {
  const { agents, tweets, seed, until } = plan
  const tweetsSince = until - TWEETED_MS
  // Room for the few tweets that replace skipped reposts.
  const gap = TWEETED_MS / (tweets * 1.02 + BLOCK)
  const fn = (head: string, type: string, body: string) =>
    `create or replace function bench.${head} returns ${type} language sql immutable parallel safe as $$ select ${body} $$;`
  const list = (values: readonly string[]) => `array[${values.map((value) => `'${value}'`).join(',')}]`
  return [
    fn(
      'u(stream bigint, n bigint)',
      'double precision',
      `((hashint8extended(n, ${seed} * 1000 + stream) >> 11) & 9007199254740991)::double precision / 9007199254740992`,
    ),
    fn('hex(name text, n bigint)', 'text', `md5('${seed}' || name || n::text)`),
    fn(
      'id(ms bigint, digits text)',
      'uuid',
      `(lpad(to_hex(ms), 12, '0') || '7' || substr(digits, 1, 3) || 'a' || substr(digits, 4, 15))::uuid`,
    ),
    fn('moment(ms bigint)', 'timestamptz', 'to_timestamp(ms / 1000.0::double precision)'),
    fn('agent_ms(n bigint)', 'bigint', `${tweetsSince - JOINED_MS} + n * ${Math.floor(JOINED_MS / (agents + 1))}`),
    fn('agent_id(n bigint)', 'uuid', `bench.id(bench.agent_ms(n), bench.hex('agent', n))`),
    // Every fifth agent has the same owner as the one before it.
    fn('owner(n bigint)', 'bigint', 'case when n % 5 = 4 then n - 1 else n end'),
    fn(
      'wallet(n bigint)',
      'text',
      `'0x' || bench.hex('wallet', bench.owner(n)) || substr(bench.hex('more', bench.owner(n)), 1, 8)`,
    ),
    fn('subject(n bigint)', 'text', `'0x' || bench.hex('subject', n) || substr(bench.hex('rest', n), 1, 8)`),
    fn('tweet_ms(n bigint)', 'bigint', `${tweetsSince} + floor(n * ${gap}::double precision)::bigint`),
    fn('tweet_id(n bigint)', 'uuid', `bench.id(bench.tweet_ms(n), bench.hex('tweet', n))`),
    fn('topic_of(agent bigint)', 'bigint', `agent % ${words.length}`),
    // Another agent with the same topic and popularity.
    fn('of_topic(agent bigint, topic bigint)', 'bigint', `agent - agent % ${words.length} + topic`),
    fn(
      'word(topic bigint, at integer)',
      'text',
      `(case topic ${words.map((all, topic) => `when ${topic} then ${list(all)}`).join(' ')} end)[1 + at % ${words[0]?.length ?? 1}]`,
    ),
    fn('topic_name(topic bigint)', 'text', `(${list(topicNames)})[1 + topic]`),
    targetFunction(fn),
  ].join('\n')
}

/**
 * The target of an engagement at the time of tweet `n`: a recent tweet, snapped back to a multiple of a power of two that
 * is occasionally large, so that few tweets get many engagements and most get few.
 */
function targetFunction(fn: (head: string, type: string, body: string) => string): string {
  const back = `n / ${BLOCK} - 1 - floor(power(bench.u(stream, key), 3) * least(n / ${BLOCK}, 3000))::bigint`
  const level = `least(14, floor(-3 * ln(greatest(bench.u(stream + 1, key), 1e-9)) / ln(2)))::integer`
  const place = `(array[0, 1, 2, 3, 4, 5, 7])[1 + floor(7 * power(bench.u(stream + 2, key), 2))::integer]`
  return fn(
    'target(n bigint, stream bigint, key bigint)',
    'bigint',
    `(greatest(${back}, 0) >> (${level}) << (${level})) * ${BLOCK} + ${place}`,
  )
}
