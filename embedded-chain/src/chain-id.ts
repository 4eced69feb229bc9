/** The id that tools know as a local chain's. */
export const EMBEDDED_CHAIN_ID = 31_337
