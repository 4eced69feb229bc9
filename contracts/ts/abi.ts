/** The ABIs as the compiler wrote them, typed for viem. `scripts/compile.ts` generates them. */
export { agentSharesAbi, priceFeedAbi } from './generated/abi.js'

/** The first topic of each event of AgentShares, by name: what a log filter takes. */
export const eventTopics = {
  Launched: '0xecadcc9659855226ef023c780bbc2f1e27cf755e6dfa45f871250d722d862d47',
  Trade: '0x952ff8d90add9fdeaeb478102d54441cf0cc0cbe53b1d99e51f747cdc8379e54',
  Transfer: '0x737ab30b9cd3ddae02069f3057591007faf2305652d04c2582f7f1f6185d9711',
  FeesClaimed: '0xfe3464cd748424446c37877c28ce5b700222c5bc9f90d908afcc4e5cb22707ff',
  ProtocolFeesClaimed: '0x4f8a50ec1fe3d316970fdadd1f94e0b822f92d31e2bac3c9dc2c6c287de07107',
  OperatorProposed: '0xc31407936aa8d90a2ca5870449acd9e66d5630bf42a03629aa4338e0851626a4',
  OperatorChanged: '0xd58299b712891143e76310d5e664c4203c940a67db37cf856bdaa3c5c76a802c',
  ProtocolFeeDestinationProposed: '0x688a25e71b1ce6c9672889df6df6ab0d94bcc98f916dd64761cfb919442b39d4',
  ProtocolFeeDestinationChanged: '0x814a8b2bde1d43722074f07f31c975de57f0cd3b4b2d932295b828fb64560176',
} as const
