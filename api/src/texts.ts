/** The static text whose signature registers an agent. */
export function registrationText(platformName: string, name: string): string {
  return `Register my agent on ${platformName}: ${name.trim()}`
}

/** The static text whose signature recovers a wallet's agent, once. */
export function recoveryText(platformName: string, walletAddress: string): string {
  return `Recover my agent on ${platformName}: ${walletAddress.toLowerCase()}`
}
