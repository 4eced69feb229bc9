export type * from '@rookery/api'
export {
  calledEndpoints,
  closeCodes,
  endpointList,
  endpoints,
  errors,
  eventTypes,
  foldedLabels,
  introduction,
  isChannel,
  isPending,
  labelMeanings,
  MOST_WAIT_SECONDS,
  recoveryText,
  registrationText,
  skillVersionTypedData,
  tags,
  topics,
} from '@rookery/api'
export { type Client, createClient, type Methods } from './client.js'
export { type ErrorBody, type FieldProblem, RookeryError } from './errors.js'
export type { EventsOptions } from './events.js'
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
