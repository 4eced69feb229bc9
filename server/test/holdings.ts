import type { TestServer } from './start-server.js'

interface Wallet {
  readonly walletAddress: string
}

/** Makes a wallet hold shares of an agent, as if it had bought them. 0 removes them. */
export async function hold(
  server: TestServer,
  holder: Wallet,
  of: { readonly subject: string },
  amount: number,
): Promise<void> {
  const { pool } = server.deps.database
  await pool.query('delete from share_holding where subject = $1 and holder = $2', [of.subject, holder.walletAddress])
  if (amount === 0) return
  await pool.query('insert into share_holding (subject, holder, amount) values ($1, $2, $3)', [
    of.subject,
    holder.walletAddress,
    amount,
  ])
}
