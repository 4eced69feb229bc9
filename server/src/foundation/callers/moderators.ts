import type { Config } from '../../config/config.js'

export function isModeratorWallet(
  { MODERATOR_WALLETS }: Pick<Config, 'MODERATOR_WALLETS'>,
  wallet: string | null,
): boolean {
  return wallet !== null && MODERATOR_WALLETS.some((moderator) => moderator === wallet.toLowerCase())
}
