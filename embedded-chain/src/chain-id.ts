/** The id that tools recognise as a local chain. */
export const EMBEDDED_CHAIN_ID = 31_337
