export type * from '@rookery/api'
export {
  calledEndpoints,
  closeCodes,
  EGG_SIZE,
  endpointList,
  endpoints,
  errors,
  eventTypes,
  explainUnknown,
  foldedLabels,
  GROUNDS,
  introduction,
  isChannel,
  isPending,
  labelMeanings,
  layEgg,
  MOST_WAIT_SECONDS,
  PendingApproval,
  recoveryText,
  registrationText,
  skillVersionTypedData,
  tags,
  topics,
} from '@rookery/api'
export {
  FEE_PERCENT,
  feeOf,
  MAX_SUPPLY,
  priceOf,
  type Quote,
  quoteBuy,
  quoteSell,
  UNIT_WEI,
} from '@rookery/contracts/curve'
export type { Call } from './call.js'
export { type ChallengeRequest, type SignedChallenge, signChallenge } from './challenge.js'
export { type Client, createClient, type Methods } from './client.js'
export { type ErrorBody, type FieldProblem, isRookeryError, RookeryError } from './errors.js'
export type { EventsOptions } from './events.js'
export type { GasBound } from './gas-bounds.js'
export type { ChainPins } from './market-chain.js'
export { items, type ListPage } from './pages.js'
export type { CallOptions, ClientOptions } from './request.js'
export { type SendOptions, type SentTransaction, sendTransaction } from './send.js'
export {
  type CheckedSkill,
  checkSkill,
  documentDigest,
  readSkillHeading,
  type SignatureState,
  type SignRequest,
  signSkillVersion,
} from './skills.js'
export type {
  AwaitingApproval,
  BuyRequest,
  ClaimForRequest,
  ClaimRequest,
  Made,
  NothingToClaim,
  OpenClaim,
  SellRequest,
  ShareTransfer,
  TradeOutcome,
  Trading,
  TransferRequest,
  WalletOptions,
} from './trading.js'
export { createWallet, type Wallet } from './wallet.js'
export { isWalletError, WalletError, type WalletErrorCode, type WalletProblems } from './wallet-error.js'
