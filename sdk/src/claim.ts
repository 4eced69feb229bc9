import type { PreparedClaim } from '@rookery/api'
import { agentSharesAbi } from '@rookery/contracts/abi'
import { encodeFunctionData, formatEther } from 'viem'
import { readContract } from 'viem/actions'
import { checkClaim } from './check-transaction.js'
import { findSubject } from './find-subject.js'
import { noAnswer, openMarket, send, type Trader } from './trade.js'
import type { ClaimForRequest, ClaimRequest, Made, NothingToClaim, OpenClaim } from './trading.js'

// Twice what it uses, as the service asks for too.
const CLAIM_GAS = '150000'

/** Pays an agent's fees to its wallet, as the service prepares it. */
export async function claimFees(trader: Trader, wanted: ClaimRequest): Promise<Made<PreparedClaim>> {
  const { client, account } = trader
  const { agent } = wanted
  const chain = await openMarket(trader)
  const asked = agent === undefined || agent === 'me' ? {} : { agentId: agent }
  const quote = await client.prepareFeeClaim({ ...asked, walletAddress: account.address })
  // An owner has no `me`: the service names the agent, whose fees go to that agent's own wallet in any case.
  checkClaim(quote.transaction, await findSubject(client, agent ?? quote.agentId))
  await wanted.confirm?.(quote)
  return { ...(await send(trader, quote.transaction, wanted, chain)), quote }
}

/** Pays any agent's fees to its wallet. The contract allows that to everybody, so the service prepares nothing. */
export async function claimFeesFor(trader: Trader, wanted: ClaimForRequest): Promise<Made<OpenClaim> | NothingToClaim> {
  const [chain, agent] = await Promise.all([openMarket(trader), findSubject(trader.client, wanted.agent)])
  const args = [agent.subject] as const
  const waiting = { address: chain.contract, abi: agentSharesAbi, functionName: 'claimableFees', args } as const
  const amountWei = await readContract(chain.node, waiting).catch(noAnswer)
  const data = encodeFunctionData({ abi: agentSharesAbi, functionName: 'claimFees', args })
  const quote: OpenClaim = {
    subject: agent.subject,
    receiver: agent.owner,
    amountWei,
    summary: `${formatEther(amountWei)} ${chain.symbol} of unclaimed fees for @${agent.username}.`,
    transaction: { to: chain.contract, data, value: '0x0', gasLimit: CLAIM_GAS, chainId: chain.id },
  }
  if (amountWei === 0n) return { sent: false, quote }
  await wanted.confirm?.(quote)
  return { ...(await send(trader, quote.transaction, wanted, chain)), quote }
}
