import { type Address, encodeFunctionData, type Hex, pad, toHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { serializeErc6492Signature } from 'viem/utils'
import { deploy, type TestClient } from './chain.js'
import { smartWalletFactory } from './generated/fixtures.js'

/** A contract wallet owned by a key. Its address is known before it is deployed. */
export interface TestSmartWallet {
  address: Address
  /** The ERC-1271 signature of an EIP-191 message, valid once the wallet is deployed. */
  signMessage(message: string): Promise<Hex>
  /** The ERC-6492 signature of an EIP-191 message, valid before the wallet is deployed and after. */
  signMessageUndeployed(message: string): Promise<Hex>
  /** The ERC-1271 signature of a hash, such as that of typed data. */
  signHash(hash: Hex): Promise<Hex>
  /** The ERC-6492 signature of a hash. */
  signHashUndeployed(hash: Hex): Promise<Hex>
  /** Deploys the wallet. */
  deploy(): Promise<void>
}

/** Creates the smart wallet of a key, not yet deployed; another salt gives another wallet. */
export async function openSmartWallet(
  client: TestClient,
  owner: PrivateKeyAccount,
  salt = 0n,
): Promise<TestSmartWallet> {
  const { abi, bytecode } = smartWalletFactory
  const factory = await deploy(client, bytecode)
  const args = [owner.address, pad(toHex(salt))] as const
  const create = encodeFunctionData({ abi, functionName: 'create', args })
  const undeployed = (signature: Hex) => serializeErc6492Signature({ address: factory, data: create, signature })
  return {
    address: await client.readContract({ address: factory, abi, functionName: 'addressOf', args }),
    signMessage: (message) => owner.signMessage({ message }),
    signMessageUndeployed: async (message) => undeployed(await owner.signMessage({ message })),
    signHash: (hash) => owner.sign({ hash }),
    signHashUndeployed: async (hash) => undeployed(await owner.sign({ hash })),
    async deploy() {
      const hash = await client.sendTransaction({ to: factory, data: create, gas: 2_000_000n })
      const { status } = await client.getTransactionReceipt({ hash })
      if (status !== 'success') throw new Error('the deployment reverted')
    },
  }
}
