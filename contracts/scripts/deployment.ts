import {
  type Account,
  type Address,
  type Client,
  formatEther,
  getAddress,
  getContractAddress,
  type Hex,
  type PublicActions,
  type Transport,
  zeroAddress,
} from 'viem'
import { agentSharesAbi, agentSharesRuntimeBytecode, encodeDeployShares } from '../ts/index.js'

/** A client that can read, such as that of `createPublicClient` or of a test chain. */
export type Reader = Client & Pick<PublicActions<Transport>, keyof PublicActions>

/** The roles in a new contract. */
export interface Roles {
  operator: Address
  protocolFeeDestination: Address
}

/** A deployment that was checked against the chain but not sent. */
export interface Deployment extends Roles {
  chainId: number
  deployer: Address
  nonce: number
  /** The contract's future address. */
  address: Address
  data: Hex
  gas: bigint
  gasPrice: bigint
  costWei: bigint
  balanceWei: bigint
}

/** PUSH0 PUSH0 TSTORE STOP: creates an empty contract if the chain has transient storage, and fails otherwise. */
const CANCUN_PROBE = '0x5f5f5d00'

/** Checks with the chain what a deployment would cost. Changes nothing. */
export async function planDeployment(client: Reader, deployer: Address, roles: Roles): Promise<Deployment> {
  const operator = getAddress(roles.operator)
  const protocolFeeDestination = getAddress(roles.protocolFeeDestination)
  if ([operator, protocolFeeDestination].includes(zeroAddress)) throw new Error('no role can go to the zero address')
  if (operator === protocolFeeDestination) {
    throw new Error('operator and protocol have to differ: one is a hot key, the other holds money')
  }
  await client.call({ account: deployer, data: CANCUN_PROBE }).catch((cause) => {
    throw new Error('the chain does not know the Cancun instructions', { cause })
  })

  const data = encodeDeployShares({ operator, protocolFeeDestination })
  const [chainId, nonce, gas, gasPrice, balanceWei] = await Promise.all([
    client.getChainId(),
    client.getTransactionCount({ address: deployer }),
    client.estimateGas({ account: deployer, data }),
    client.getGasPrice(),
    client.getBalance({ address: deployer }),
  ])
  const address = getContractAddress({ from: deployer, nonce: BigInt(nonce) })
  const costWei = gas * gasPrice
  const plan = { chainId, deployer, nonce, address, data, gas, gasPrice, costWei, balanceWei }
  return { ...plan, operator, protocolFeeDestination }
}

/** Describes a deployment for the person who must confirm it. */
export function describeDeployment(plan: Deployment): string {
  return [
    ['chain', `${plan.chainId}`],
    ['deployer', `${plan.deployer}, nonce ${plan.nonce}, ${formatEther(plan.balanceWei)} in its account`],
    ['cost', `${formatEther(plan.costWei)} (${plan.gas} gas at ${plan.gasPrice} wei)`],
    ['operator', `${plan.operator} signs launch permits`],
    ['protocol', `${plan.protocolFeeDestination} receives fees and names the operator`],
    ['contract', plan.address],
  ]
    .map(([label = '', text]) => label.padEnd(10) + text)
    .join('\n')
}

/** Sends a deployment, waits for it, and checks that the chain has what was planned. */
export async function sendDeployment(client: Reader, account: Account, plan: Deployment): Promise<Hex> {
  if (plan.balanceWei < plan.costWei) throw new Error('the deployer cannot pay for the deployment')
  if (!account.signTransaction) throw new TypeError('the deployer cannot sign transactions')
  const { chainId, nonce, data, gas, gasPrice } = plan
  const transaction = { type: 'legacy', chainId, nonce, data, gas, gasPrice } as const
  const hash = await client.sendRawTransaction({ serializedTransaction: await account.signTransaction(transaction) })
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`deployment ${hash} reverted`)
  await checkDeployment(client, plan)
  return hash
}

/** Throws unless the contract at the planned address has our code and the planned roles. */
export async function checkDeployment(client: Reader, plan: Pick<Deployment, 'address' | keyof Roles>): Promise<void> {
  const { address } = plan
  const [code, operator, protocolFeeDestination] = await Promise.all([
    client.getCode({ address }),
    client.readContract({ address, abi: agentSharesAbi, functionName: 'operator' }),
    client.readContract({ address, abi: agentSharesAbi, functionName: 'protocolFeeDestination' }),
  ])
  if (code !== agentSharesRuntimeBytecode) throw new Error(`the code at ${address} is not this contract`)
  if (operator !== plan.operator) throw new Error(`the operator is ${operator}`)
  if (protocolFeeDestination !== plan.protocolFeeDestination)
    throw new Error(`the protocol is ${protocolFeeDestination}`)
}
