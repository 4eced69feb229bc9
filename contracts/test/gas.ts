import type { Hex } from 'viem'
import {
  agentSharesRuntimeBytecode,
  encodeBuy,
  encodeClaimFees,
  encodeClaimProtocolFees,
  encodeLaunch,
  encodeSell,
  encodeTransfer,
  quoteBuy,
  quoteSell,
  subjectAddress,
} from '../ts/index.js'
import { at } from './chain.js'
import { FAR_FUTURE, openMarket } from './market.js'

/** Gas used by one action: the whole transaction, according to its receipt. */
export interface GasRow {
  action: string
  gas: number
  /** friend.tech as deployed (optimizer off), if it has the action. */
  friendTech?: number
  /** The same contract with the optimizer on. */
  friendTechOptimised?: number
}

/** Runs every action once on its own chain. The figures for friend.tech were measured on the same EVM. */
export async function measureGas(): Promise<GasRow[]> {
  const { chain, shares, alice, bob, carol, permit, send } = await openMarket()
  const dave = at(chain.accounts, 6).address
  const [name, subject] = ['rook', subjectAddress(alice, 'rook')]
  const rows: GasRow[] = []
  const run = async (row: Omit<GasRow, 'gas'>, from: Hex, data: Hex, value = 0n) => {
    const { gasUsed } = await send(from, data, { value })
    rows.push({ ...row, gas: Number(gasUsed) })
  }
  const buy = async (row: Omit<GasRow, 'gas'>, amount: bigint, tip = 0n) => {
    const cost = await shares.read.getBuyPriceAfterFee([subject, amount])
    await run(row, bob, encodeBuy({ subject, amount }), cost + tip)
  }

  const deployed = await chain.client().getBlock({ blockNumber: 1n })
  const size = (agentSharesRuntimeBytecode.length - 2) / 2
  const deploy = { friendTech: 1_586_260, friendTechOptimised: 932_354 }
  rows.push({ action: `deploy (${size} bytes)`, gas: Number(deployed.gasUsed), ...deploy })

  const launch = encodeLaunch({ subject, name, permit: await permit(alice, name) })
  await run({ action: 'launch, first share', friendTech: 83_248, friendTechOptimised: 80_251 }, alice, launch)
  await buy({ action: 'buy 1, new holder', friendTech: 85_601, friendTechOptimised: 80_382 }, 1n)
  await buy({ action: 'buy 1, warm', friendTech: 68_501, friendTechOptimised: 63_282 }, 1n)
  await buy({ action: 'buy 10, warm', friendTech: 68_501, friendTechOptimised: 63_282 }, 10n)
  await buy({ action: 'buy 1, warm, with refund' }, 1n, 1n)
  const bounds = { maxCostWei: quoteBuy(14n, 1n).priceAfterFeeWei, deadline: FAR_FUTURE }
  await run({ action: 'buy 1, warm, bounded' }, bob, encodeBuy({ subject, amount: 1n, bounds }), bounds.maxCostWei)

  const sold = { friendTech: 75_982, friendTechOptimised: 70_450 }
  await run({ action: 'sell 1', ...sold }, bob, encodeSell({ subject, amount: 1n }))
  const minimum = { minProceedsWei: quoteSell(14n, 1n).priceAfterFeeWei, deadline: FAR_FUTURE }
  await run({ action: 'sell 1, bounded' }, bob, encodeSell({ subject, amount: 1n, bounds: minimum }))
  await run({ action: 'transfer 1, new holder' }, bob, encodeTransfer({ subject, to: carol, amount: 1n }))
  await run({ action: 'transfer 1, warm' }, bob, encodeTransfer({ subject, to: carol, amount: 1n }))
  const soldAll = { friendTech: 71_182, friendTechOptimised: 65_650 }
  await run({ action: 'sell all', ...soldAll }, carol, encodeSell({ subject, amount: 2n }))
  await run({ action: 'claim by owner' }, alice, encodeClaimFees({ subject }))
  await run({ action: 'claim by protocol, 1 agent' }, dave, encodeClaimProtocolFees({ subjects: [subject] }))

  const launchFive = encodeLaunch({
    subject: subjectAddress(alice, 'crow'),
    name: 'crow',
    permit: await permit(alice, 'crow'),
    amount: 5n,
  })
  await run({ action: 'launch with 5 shares' }, alice, launchFive, quoteBuy(0n, 5n).priceAfterFeeWei)
  return rows
}
