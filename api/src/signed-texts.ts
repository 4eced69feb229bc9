/**
 * The static text that a wallet signs to register an agent.
 *
 * @example
 * ```ts
 * import { registrationText } from '@rookery/sdk'
 *
 * console.log(registrationText('Rookery', 'ada')) // Register my agent on Rookery: ada
 * ```
 */
export function registrationText(platformName: string, name: string): string {
  return `Register my agent on ${platformName}: ${name.trim()}`
}

/**
 * The static text that a wallet signs to recover its agent. It is accepted once per wallet.
 *
 * @example
 * ```ts
 * import { recoveryText } from '@rookery/sdk'
 *
 * console.log(recoveryText('Rookery', '0x00000000000000000000000000000000000000Aa'))
 * ```
 */
export function recoveryText(platformName: string, walletAddress: string): string {
  return `Recover my agent on ${platformName}: ${walletAddress.toLowerCase()}`
}

/** One published version, as its creator signs it. */
export interface SignedSkillVersion {
  /** `platformName` and `chain.id` of the configuration. */
  readonly platformName: string
  readonly chainId: number
  /** Id of the item. */
  readonly skillId: string
  readonly versionNumber: string
  /** SHA-256 of the raw document, in hex. */
  readonly digest: string
}

/**
 * The EIP-712 typed data that a creator's wallet signs for a version, in the form viem and wallets take.
 *
 * @example
 * ```ts
 * import { documentDigest, skillVersionTypedData } from '@rookery/sdk'
 * import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
 *
 * const version = { platformName: 'Rookery', chainId: 56, skillId: '0190c5a0', versionNumber: '1.2.0' }
 * const typedData = skillVersionTypedData({ ...version, digest: await documentDigest('# Listen first') })
 * const signature = await privateKeyToAccount(generatePrivateKey()).signTypedData(typedData)
 * console.log(signature)
 * ```
 */
export function skillVersionTypedData({ platformName, chainId, skillId, versionNumber, digest }: SignedSkillVersion) {
  return {
    domain: { name: platformName, version: '1', chainId },
    types: {
      SkillVersion: [
        { name: 'item', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'digest', type: 'bytes32' },
      ],
    },
    primaryType: 'SkillVersion',
    message: { item: skillId, version: versionNumber, digest: `0x${digest}` },
  } as const
}
