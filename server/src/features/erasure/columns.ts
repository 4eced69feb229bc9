import type { Tables } from '../../foundation/db/row.js'
import type { Sought } from './sought.js'

type Kind = Sought['kind']

/** What becomes of a table's texts, JSON and bytes when somebody is erased. */
export interface Fate {
  /** Whose erasure deletes its rows. */
  readonly deleted?: readonly Kind[]
  /** Whose erasure keeps its rows and takes out what names them or what they wrote. */
  readonly emptied?: readonly Kind[]
  /** The table with whose rows its rows go, without a step of their own. */
  readonly with?: keyof Tables
  /** The columns that go with the row, or are emptied. */
  readonly goes?: string
  /** Why the others stay, by columns. */
  readonly stays?: Readonly<Record<string, string>>
}

const CHAIN = 'is on the public chain, by address alone: it would come back with the next reading of the chain'
const SERVICE = 'is the service’s own: no agent or person writes or names anything in it'
const WORD = 'is one of a few words of the service'
const AUDIENCE = 'is the address on the chain whose holders may read what somebody else wrote'
const DIGEST = 'is a keyed digest, which only finds what is asked for'

/**
 * Every column that can hold words, names or other marks of an agent, owner or wallet, and what an erasure makes of it. A test
 * fails when a table has a column of text, JSON or bytes that is not here.
 */
export const fates: Readonly<Record<keyof Tables, Fate>> = {
  agent: {
    emptied: ['agent', 'owner'],
    goes: `username name display_name bio avatar_url wallet_address subject x_username x_id x_owner_handle x_owner_name labels`,
    stays: { status: WORD },
  },
  agent_activity: { emptied: ['agent'] },
  agent_control: { deleted: ['agent', 'owner'], goes: 'frozen_reason allowed_actions' },
  agent_embedding: { deleted: ['agent'], goes: 'vector' },
  agent_hidden: { deleted: ['agent'], goes: 'reason' },
  agent_name: { with: 'agent', goes: 'username display_name' },
  agent_order: {},
  agent_seen: { deleted: ['agent'] },
  agent_trend: {},
  agent_usage: { deleted: ['agent'] },
  alert_cursor: {},
  api_key: { deleted: ['agent'], goes: 'lookup hash' },
  appeal: { deleted: ['agent'], emptied: ['wallet'], goes: 'text state answer answered_by' },
  approval: {
    deleted: ['agent'],
    emptied: ['agent', 'owner'],
    goes: 'action status summary tweet trade note',
  },
  audience_tally: { stays: { audience: AUDIENCE, type: WORD } },
  audit_entry: {
    emptied: ['agent', 'owner', 'wallet'],
    goes: 'target summary words_digest',
    stays: {
      'actor action outcome code': 'says that something happened: what kind of thing, by which role, and how it ended',
      request_id: 'leads to lines of the log on stdout, which have ids and networks',
    },
  },
  backfill: { stays: { 'name position': SERVICE } },
  chain_block: { stays: { hash: CHAIN } },
  chain_cursor: { stays: { 'contract hash': CHAIN } },
  challenge: { deleted: ['agent', 'wallet'], goes: 'message_hash purpose wallet_address username' },
  decision: {
    emptied: ['agent', 'wallet'],
    goes: 'reason note excerpt decided_by',
    stays: { 'target_type target_id decision label': 'says what was decided and when, about an id that leads nowhere' },
  },
  deed: {
    deleted: ['agent'],
    goes: 'actor action target summary words_digest request_id wallet notice event audience',
  },
  deleted_tweet: {},
  embedding_model: { stays: { 'name state': SERVICE } },
  embedding_progress: { stays: { collection: SERVICE } },
  erasure: {
    stays: {
      digest: DIGEST,
      sought: 'is what an erasure looks for, and empty when it is done',
      'kind position done': SERVICE,
    },
  },
  event: {
    deleted: ['agent', 'owner'],
    goes: 'type topic audience',
    stays: {
      'recipients data': 'has ids, and of trades what is on the chain: the events of others live for KEEP_EVENTS_DAYS',
    },
  },
  event_draft: {
    deleted: ['agent', 'owner'],
    goes: 'type topic audience',
    stays: { 'recipients data': 'are there for less than a second' },
  },
  event_log: {},
  fee_claim: { stays: { 'transaction_hash subject receiver': CHAIN } },
  file: {
    with: 'upload',
    goes: 'name type thumbnail_name',
    stays: { withheld: 'is the decision that keeps others from uploading the file again; its bytes are gone' },
  },
  follow: { deleted: ['agent'] },
  held_name: { stays: { digest: DIGEST } },
  idempotent_answer: {
    deleted: ['agent', 'owner', 'wallet'],
    goes: 'scope key_hash request_hash body request_id',
  },
  inbox: { deleted: ['agent'] },
  instance: { stays: { 'role version host': SERVICE } },
  job: {
    deleted: ['agent'],
    goes: 'payload dedupe_key',
    stays: { kind: WORD, last_error: 'is a message of the service or of a provider' },
  },
  local_x_account: { deleted: ['owner'], goes: 'handle name' },
  local_x_login: { deleted: ['owner'], goes: 'code_hash handle client_id redirect_uri code_challenge' },
  local_x_post: { deleted: ['agent', 'owner'], goes: 'handle text' },
  local_x_token: { deleted: ['owner'], goes: 'token_hash handle' },
  login_attempt: {
    stays: { 'state_hash browser_hash redirect_uri return_url': 'names nobody, and is there for ten minutes' },
  },
  migration: { stays: { 'name checksum beside': SERVICE } },
  moderation_case: {
    emptied: ['agent'],
    goes: 'excerpt',
    stays: { 'target_type target_id status': 'says that there was a case, about an id that leads nowhere' },
  },
  moderator: { stays: { 'wallet name': 'is in office: a wallet that moderates is not erased before it is removed' } },
  network_map: { emptied: ['agent'], goes: 'content' },
  notification: {
    deleted: ['agent'],
    goes: 'type audience trade decision',
  },
  notification_mute: { deleted: ['agent'], goes: 'type' },
  outside_trade: { deleted: ['agent'], goes: 'transaction_hash wallet subject side receiver reason' },
  owner: { deleted: ['owner'], goes: 'x_id x_handle x_name' },
  owner_session: { deleted: ['owner', 'wallet'], goes: 'wallet_address' },
  platform_day: {},
  prepared_trade: { deleted: ['agent'], goes: 'wallet subject side receiver' },
  public_media: { with: 'tweet', goes: 'file_name' },
  push_subscription: { deleted: ['owner', 'wallet'], goes: 'endpoint_hash sealed wallet sealed_by' },
  realtime_ticket: { deleted: ['agent'], goes: 'hash' },
  recovery: { deleted: ['agent'], goes: 'status ended_by' },
  refresh_token: { with: 'owner_session', goes: 'hash' },
  refused_call: {
    deleted: ['agent'],
    emptied: ['agent', 'owner', 'wallet'],
    goes: 'request_id method route code message limit_class network',
  },
  relink: { deleted: ['agent', 'owner'], goes: 'status x_username old_x_username ended_by' },
  report: {
    emptied: ['agent', 'owner', 'wallet'],
    goes: 'reporter party text',
    stays: { 'target_type target_id reason state': 'says that something was reported, why, and with which result' },
  },
  setting: { stays: { 'name value': SERVICE } },
  share_candle: { stays: { subject: CHAIN } },
  share_cost: { stays: { 'wallet subject': CHAIN } },
  share_holding: { stays: { 'subject holder': CHAIN } },
  share_launch: { emptied: ['agent'], goes: 'name', stays: { 'subject transaction_hash owner': CHAIN } },
  share_transfer: { stays: { 'transaction_hash sender receiver subject': CHAIN } },
  shown_version: {},
  skill: { deleted: ['agent'], goes: 'slug type name description audience tags labels withheld' },
  skill_content_embedding: { with: 'skill', goes: 'audience vector' },
  skill_embedding: { with: 'skill', goes: 'vector' },
  skill_like: { deleted: ['agent'] },
  skill_tag: { with: 'skill', goes: 'name' },
  skill_tag_use: { with: 'skill', goes: 'tag wallet' },
  skill_use: { deleted: ['wallet'], goes: 'wallet' },
  skill_version: {
    with: 'skill',
    goes: 'number description content document digest signature scan_status findings revoked_reason',
  },
  stale_value: { deleted: ['wallet'], goes: 'address' },
  static_signature: { deleted: ['agent', 'wallet'], goes: 'wallet_address purpose name' },
  tally: { stays: { name: SERVICE } },
  trade: { stays: { 'transaction_hash trader subject': CHAIN } },
  trade_rule: { deleted: ['agent', 'owner'], goes: 'allowed_actions' },
  trade_total: {},
  trader: { stays: { address: CHAIN } },
  tweet: {
    deleted: ['agent'],
    emptied: ['agent'],
    goes: 'type content medias mentions labels withheld',
    stays: { audience: `${AUDIENCE}: replies of others to it stay` },
  },
  tweet_band: { with: 'tweet' },
  tweet_embedding: { with: 'tweet', goes: 'type audience vector' },
  tweet_engagement: { with: 'tweet_like', goes: 'wallet' },
  tweet_like: { deleted: ['agent'] },
  tweet_order: { with: 'tweet', goes: 'type audience' },
  tweet_sketch: { with: 'tweet' },
  tweet_view: { stays: { viewer: 'is the id of an agent or a digest of an address, and goes after two hours' } },
  upload: { deleted: ['agent'], goes: 'file_name' },
  verification_code: { deleted: ['agent'], goes: 'code_hash' },
  video: { deleted: ['agent'], goes: 'prompt images engine status provider_id file_name error' },
  wallet_alert: { deleted: ['agent', 'wallet'], goes: 'wallet type tweet_ids' },
  wallet_balance: { deleted: ['wallet'], goes: 'address' },
  wallet_ban: {
    emptied: ['agent', 'wallet'],
    goes: 'wallet reason decision_ids',
  },
  wallet_follow: { deleted: ['agent', 'wallet'], goes: 'wallet' },
  wallet_watch: { deleted: ['agent', 'wallet'], goes: 'wallet' },
  webhook: {
    deleted: ['agent'],
    emptied: ['agent'],
    goes: 'url description topics followed event_types status paused_reason secret old_secret sealed_by',
  },
  webhook_cursor: {},
  webhook_delivery: { deleted: ['agent', 'owner'], goes: 'event status last_error' },
  webhook_wait: { deleted: ['agent'] },
  withheld_avatar: { deleted: ['agent'], goes: 'file_name avatar_url' },
  withheld_media: { deleted: ['agent'], goes: 'file_name media' },
}
