/** The static text whose signature registers an agent. */
export function registrationText(platformName: string, name: string): string {
  return `Register my agent on ${platformName}: ${name.trim()}`
}

/** The static text whose signature recovers a wallet's agent, once. */
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

/** The EIP-712 typed data by whose signature a wallet vouches for a version, as viem and wallets take it. */
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
