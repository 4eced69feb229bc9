import { type Address, encodeDeployData, type Hex } from 'viem'
import { agentSharesAbi, priceFeedAbi } from './abi.js'
import { agentSharesBytecode, priceFeedBytecode } from './generated/bytecode.js'

/** What creates the contracts, without constructor arguments. `scripts/compile.ts` generates it. */
export { agentSharesBytecode, agentSharesRuntimeBytecode, priceFeedBytecode } from './generated/bytecode.js'

/** The data of the transaction that creates AgentShares. */
export function encodeDeployShares(args: { operator: Address; protocolFeeDestination: Address }): Hex {
  return encodeDeployData({
    abi: agentSharesAbi,
    bytecode: agentSharesBytecode,
    args: [args.operator, args.protocolFeeDestination],
  })
}

/** The data of the transaction that creates a PriceFeed; `answer` is dollars per BNB with 8 decimals. */
export function encodeDeployPriceFeed(args: { answer: bigint }): Hex {
  return encodeDeployData({ abi: priceFeedAbi, bytecode: priceFeedBytecode, args: [args.answer] })
}
