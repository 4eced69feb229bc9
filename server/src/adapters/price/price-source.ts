/** What a BNB costs, and when somebody last said so. */
export interface BnbUsd {
  readonly priceUsd: number
  readonly updatedAt: Date
}

/** Where the BNB to USD rate comes from. */
export interface PriceSource {
  /** Its name, for whoever reads the rate. */
  readonly name: string
  /** How long after an update the next one is promised; Infinity when none is. */
  readonly updatesWithinMs: number
  read(): Promise<BnbUsd>
}
