import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Row } from '../../foundation/db/row.js'
import type { JobHandlers } from '../../foundation/jobs/worker.js'
import { fillAllCosts } from './fill-costs.js'
import { movePriceDays } from './price-days.js'

const READ_EVERY_MS = 5 * 60_000
const COMPARE_EVERY_MS = 60_000
const WALLETS_AT_ONCE = 500
const MOST_BATCHES = 100

type JobDeps = Pick<Deps, 'db' | 'clock' | 'chain' | 'log'>

export function shareJobs(deps: JobDeps): Pick<JobHandlers, 'read_balances' | 'compare_prices' | 'fill_share_costs'> {
  const later = (ms: number) => ({ again: new Date(deps.clock.now().getTime() + ms) })
  return {
    async compare_prices({ stopping }) {
      let isDone = false
      while (!isDone && !stopping()) isDone = await movePriceDays(deps)
      return later(COMPARE_EVERY_MS)
    },

    async fill_share_costs(job) {
      return (await fillAllCosts(deps.db, job)) ? undefined : { again: deps.clock.now() }
    },

    async read_balances({ stopping }) {
      // An unreachable chain must not count as a failure of the job, which would give up after several.
      await readBalances(deps, stopping).catch((error: Error) =>
        deps.log.warn({ message: error.message }, 'balances of wallets were not read'),
      )
      return later(READ_EVERY_MS)
    },
  }
}

/** Reads the balances of the agents' wallets, those with the oldest readings first. */
async function readBalances({ db, clock, chain }: JobDeps, stopping: () => boolean): Promise<void> {
  if (!chain) return
  const startedAt = clock.now()
  await db.run(sql`
    insert into wallet_balance (address)
    select distinct wallet_address from agent
    where not exists (select from wallet_balance where address = agent.wallet_address)
    on conflict do nothing`)
  for (let batch = 0; batch < MOST_BATCHES && !stopping(); batch++) {
    const wallets = await db.many<Row<'wallet_balance', 'address'>>(sql`
      select address from wallet_balance where read_at is null or read_at < ${startedAt}
      order by read_at nulls first limit ${WALLETS_AT_ONCE}`)
    if (wallets.length === 0) return
    const addresses = wallets.map(({ address }) => address)
    const balances = await chain.balancesOf(addresses)
    await db.run(sql`
      update wallet_balance set balance_wei = input.balance, read_at = ${clock.now()}
      from unnest(${addresses}::text[], ${balances.map(String)}::numeric[]) as input (address, balance)
      where wallet_balance.address = input.address`)
  }
}
