import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { sellPriceWei } from './figures.js'

const SUBJECTS_AT_ONCE = 50
const WALLETS_AT_ONCE = 500

/**
 * Revalues some of the agents' wallets whose holdings changed in value. Returns whether none are left. This is not part of
 * applying a block, because one trade of a popular agent's shares changes the value of thousands of wallets.
 */
export async function valueHoldings(db: Db): Promise<boolean> {
  const subjects = await db.run(sql`
    with moved as (
      delete from stale_value where address in (
        select address from stale_value where is_subject limit ${SUBJECTS_AT_ONCE}) returning address
    ), held as (
      insert into stale_value (address, is_subject)
      select distinct holder, false from share_holding
      where subject in (select address from moved) and exists (select 1 from agent where wallet_address = holder)
      on conflict do nothing)
    select 1 from moved`)
  // A wallet that holds shares of several of these agents is revalued once, after all of them are collected.
  if (subjects === SUBJECTS_AT_ONCE) return false
  const wallets = await db.transaction(async (db) => {
    const stale = await db.many<Row<'stale_value', 'address'>>(sql`
      delete from stale_value where address in (
        select address from stale_value where not is_subject limit ${WALLETS_AT_ONCE}) returning address`)
    if (stale.length === 0) return 0
    const addresses = stale.map((row) => row.address)
    // All code that locks several agents locks them in the order of their ids, which prevents deadlocks.
    await db.run(sql`
      select id from agent where wallet_address = any(${addresses}::text[]) order by id for no key update`)
    // One statement for all wallets: while there are few agents, a statement per wallet would scan the whole agent table each time.
    await db.run(sql`
      update agent set holding_value_wei = coalesce(held.value, 0)
      from unnest(${addresses}::text[]) as input (wallet)
      left join (
        select holder, sum(${sellPriceWei(sql`other.supply`, sql`share_holding.amount`)}) as value
        from share_holding join agent other on other.subject = share_holding.subject
        where holder = any(${addresses}::text[]) group by holder) held on held.holder = input.wallet
      where agent.wallet_address = input.wallet and agent.holding_value_wei <> coalesce(held.value, 0)`)
    return addresses.length
  })
  return wallets < WALLETS_AT_ONCE
}
