import { createHash } from 'node:crypto'
import { UNIT_WEI } from '@rookery/contracts'
import { type Db, hashApiKey, makeApiKey, type Secrets } from '@rookery/server/database'
import sql from 'sql-template-tag'
import { LAUNCHED_EVERY, type SeedPlan, TWEETED_MS } from './plan.js'
import { inserts, type Step } from './step.js'

/** The key of the n-th agent of a data set. Anybody can compute it, so it is only for benchmarks. */
export function seededApiKey(seed: number, n: number): string {
  return makeApiKey(() => createHash('sha256').update(`${seed} key ${n}`).digest())
}

/** Agents with their keys, who follows whom, and who holds shares of whom. */
export function peopleSteps({ agents, follows, seed, until }: SeedPlan, secrets: Secrets): Step[] {
  const since = until - TWEETED_MS
  return [
    inserts({ name: 'agents', numbers: agents, chunk: 10_000 }, ({ from, to }) => {
      return sql`
        insert into agent (id, username, name, display_name, bio, wallet_address, subject, status, x_username, x_id,
          x_owner_handle, x_owner_name, launched_at, last_ping_at, verified_at, created_at, updated_at)
        select bench.agent_id(n), 'agent_' || n, 'agent_' || n, 'Agent ' || n,
          'Writes about ' || bench.topic_name(bench.topic_of(n)) || '.', bench.wallet(n), bench.subject(n), 'active',
          'x_' || n, 'x' || n, 'x_' || n, 'Owner ' || bench.owner(n),
          case when n % ${LAUNCHED_EVERY}::int = 0 then bench.moment(bench.agent_ms(n) + 60000) end,
          bench.moment(${until}::bigint - floor(bench.u(1, n) * 86400000)::bigint),
          bench.moment(bench.agent_ms(n)), bench.moment(bench.agent_ms(n)), bench.moment(bench.agent_ms(n))
        from generate_series(${from}::bigint, ${to - 1}::bigint) n`
    }),
    inserts({ name: 'keys', numbers: agents, chunk: 10_000 }, ({ from, to }) => {
      const hashes = Array.from({ length: to - from }, (_, index) =>
        hashApiKey(secrets, seededApiKey(seed, from + index)),
      )
      return sql`
        insert into api_key (id, agent_id, lookup, hash, created_at)
        select bench.id(bench.agent_ms(n), bench.hex('key', n)), bench.agent_id(n), lookup, hash,
          bench.moment(bench.agent_ms(n))
        from unnest(${hashes.map(({ lookup }) => lookup)}::bytea[], ${hashes.map(({ hash }) => hash)}::bytea[])
          with ordinality as key (lookup, hash, place)
        cross join lateral (select ${from}::bigint + place - 1 as n) it`
    }),
    // In the order of followers as far as possible, because that is the order of the table's key. The first agents follow
    // and are followed most; six of ten follows are within one topic.
    inserts({ name: 'follows', numbers: follows, rows: follows, chunk: 50_000 }, ({ from, to, missing }) => {
      const isNew = sql`not exists (
        select from follow where follower_id = bench.agent_id(follower) and followed_id = bench.agent_id(followed))`
      return sql`
        insert into follow (follower_id, followed_id, created_at)
        select bench.agent_id(follower), bench.agent_id(followed),
          bench.moment(${since}::bigint + floor(bench.u(12, k) * ${TWEETED_MS}::bigint)::bigint)
        from generate_series(${from}::bigint, ${to - 1}::bigint) k
        cross join lateral (select floor(${agents}::bigint * power(
          case when k < ${follows}::bigint then k::double precision / ${follows}::bigint else bench.u(13, k) end, 1.7))::bigint
          as follower offset 0) one
        cross join lateral (select floor(${agents}::bigint * power(bench.u(10, k), 2.5))::bigint as anyone offset 0) two
        cross join lateral (select case when bench.u(11, k) < 0.6
          then bench.of_topic(anyone, bench.topic_of(follower)) else anyone end as followed offset 0) three
        where followed <> follower and followed < ${agents}::bigint and ${from < follows ? sql`true` : isNew}
        order by k limit ${missing}
        on conflict do nothing`
    }),
    inserts({ name: 'holdings', numbers: agents, chunk: 20_000 }, ({ from, to }) => {
      return sql`
        insert into share_holding (subject, holder, amount)
        select bench.subject(n), bench.wallet(holder), 1 + floor(3 * power(bench.u(15, n * 64 + place), 3))::integer
        from generate_series(${from}::bigint, ${to - 1}::bigint) n
        cross join generate_series(0, floor(30 * power(bench.u(14, n), 2))::bigint) place
        cross join lateral (
          select case when place = 0 then n else floor(${agents}::bigint * bench.u(16, n * 64 + place))::bigint end as holder offset 0) who
        where n % ${LAUNCHED_EVERY}::int = 0
        on conflict do nothing`
    }),
  ]
}

/** Fills the counters of agents, once everything they count is there. */
export function peopleCounts(): Step {
  return {
    name: 'agent counters',
    async run(db: Db) {
      await db.run(sql`set local work_mem = '256MB'`)
      await db.run(sql`
        update agent set followers_count = coalesce(followers, 0), following_count = coalesce(following, 0),
          supply = coalesce(shares, 0), holders_count = coalesce(holders, 0),
          price_wei = coalesce(shares, 0)::numeric * coalesce(shares, 0) * ${UNIT_WEI.toString()}::numeric
        from agent one
        left join (select followed_id as id, count(*)::int as followers from follow group by 1) a using (id)
        left join (select follower_id as id, count(*)::int as following from follow group by 1) b using (id)
        left join (
          select subject, sum(amount)::int as shares, count(*)::int as holders from share_holding group by 1) c using (subject)
        where agent.id = one.id`)
    },
  }
}
