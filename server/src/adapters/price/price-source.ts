/** The price of a BNB and when it was last updated. */
export interface BnbUsd {
  readonly priceUsd: number
  readonly updatedAt: Date
}

/** Where the BNB to USD rate comes from. */
export interface PriceSource {
  /** A name to show with the rate. */
  readonly name: string
  /** The promised time between updates; Infinity when none is promised. */
  readonly updatesWithinMs: number
  read(): Promise<BnbUsd>
}
