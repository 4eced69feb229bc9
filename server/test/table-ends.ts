import type { Tables } from '../src/foundation/db/generated/tables.js'

/** What keeps a table from growing for ever. */
export type End =
  /** It has a row for each of something that is limited itself. */
  | { readonly oneFor: string }
  /** The service is made of it: it is there until whoever wrote it deletes it. */
  | { readonly is: string }
  /** A row is work, and goes when that is done. */
  | { readonly until: string }
  /** Whole months go; `features/platform/retention.test.ts` moves through them. */
  | { readonly goesBy: 'month' }
  /** Upkeep deletes a row that is two years old. The columns of such a row, besides an id. */
  | { readonly old: Readonly<Record<string, unknown>> }

interface Named {
  readonly now: Date
  readonly agentId: string
  readonly tweetId: string
  readonly webhookId: string
}

export const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60_000

/** The end of every table, with rows about these that are two years old at `now`. */
export function tableEnds({ now, agentId, tweetId, webhookId }: Named) {
  const at = new Date(now.getTime() - TWO_YEARS_MS).toISOString()
  const hash = `\\x${'07'.repeat(32)}`
  const wallet = `0x${'7'.repeat(40)}`
  return {
    agent: { is: 'agents' },
    agent_activity: { oneFor: 'agent' },
    agent_control: { oneFor: 'agent' },
    agent_embedding: { oneFor: 'agent and model' },
    agent_hidden: { is: 'mutes and blocks' },
    agent_name: { oneFor: 'agent' },
    agent_order: { oneFor: 'agent' },
    agent_seen: { oneFor: 'agent' },
    agent_trend: { oneFor: 'agent' },
    agent_usage: { old: { agent_id: agentId, day: at, posts: 1, traded_wei: 0, uploaded_bytes: 0 } },
    alert_cursor: { oneFor: 'database' },
    api_key: { old: { agent_id: agentId, lookup: '\\x07', hash, created_at: at, revoked_at: at } },
    appeal: { is: 'what was decided' },
    approval: {
      old: {
        agent_id: agentId,
        action: 'createTweet',
        status: 'expired',
        tweet: {},
        summary: '',
        created_at: at,
        expires_at: at,
      },
    },
    audience_tally: { oneFor: 'audience and type' },
    audit_entry: { goesBy: 'month' },
    backfill: { oneFor: 'kind of stored rows that an upgrade changes' },
    chain_block: { oneFor: 'block that a reorganisation may still remove' },
    chain_cursor: { oneFor: 'database' },
    challenge: { old: { message_hash: hash, purpose: 'register', wallet_address: wallet, expires_at: at } },
    decision: { is: 'what was decided' },
    deed: { until: 'what follows from it is written' },
    deleted_tweet: { until: 'the notifications about the tweet are removed' },
    embedding_model: { oneFor: 'model' },
    embedding_progress: { oneFor: 'model and collection' },
    erasure: { is: 'what operators decide' },
    event: { old: { id: 0, type: 'agent.created', topic: 'agents', at, data: {} } },
    event_draft: { until: 'the event has its place in the order' },
    event_log: { oneFor: 'database' },
    fee_claim: { is: 'the chain' },
    file: { is: 'files of agents; one that was not stored goes after an hour' },
    follow: { is: 'follows' },
    held_name: { old: { digest: hash, held_until: at } },
    idempotent_answer: { old: { scope: 'old', key_hash: hash, request_hash: hash, started_at: at } },
    inbox: { oneFor: 'agent' },
    instance: { old: { seen_at: at } },
    job: { until: 'it is done; one that has failed, until an operator repeats or deletes it' },
    local_x_account: { is: 'accounts of the network for trying things out' },
    local_x_login: {
      old: { code_hash: hash, handle: 'old', client_id: '', redirect_uri: '', code_challenge: '', expires_at: at },
    },
    local_x_post: { is: 'posts of the network for trying things out' },
    local_x_token: { old: { token_hash: hash, handle: 'old', expires_at: at } },
    login_attempt: { old: { state_hash: hash, redirect_uri: '', expires_at: at } },
    migration: { oneFor: 'migration' },
    moderation_case: { is: 'what was decided' },
    moderator: { is: 'what operators decide' },
    network_map: { oneFor: 'database' },
    notification: { goesBy: 'month' },
    notification_mute: { oneFor: 'agent and type' },
    outside_trade: { is: 'the chain' },
    owner: { is: 'owners' },
    owner_session: { old: { wallet_address: wallet, created_at: at } },
    platform_day: { oneFor: 'day' },
    prepared_trade: {
      old: {
        ...{ agent_id: agentId, wallet, subject: wallet, side: 'buy', amount: 1, worth_wei: 1, block: 1 },
        ...{ created_at: at, expires_at: at, is_owners: false },
      },
    },
    public_media: { oneFor: 'file and what shows it' },
    push_subscription: { old: { endpoint_hash: hash, sealed: hash, wallet, updated_at: at } },
    realtime_ticket: { old: { hash, agent_id: agentId, made_at: at, expires_at: at } },
    recovery: { is: 'who owned an agent when' },
    refresh_token: { until: 'it expires, with its session' },
    refused_call: { old: { slot: 1, at, instance_id: agentId } },
    relink: { is: 'who owned an agent when' },
    report: { is: 'what was decided' },
    setting: { oneFor: 'setting' },
    share_candle: { is: 'the chain' },
    share_cost: { is: 'the chain' },
    share_holding: { is: 'the chain' },
    share_launch: { is: 'the chain' },
    share_transfer: { is: 'the chain' },
    shown_version: { oneFor: 'database' },
    skill: { is: 'skills' },
    skill_content_embedding: { oneFor: 'version of a skill and model' },
    skill_embedding: { oneFor: 'skill and model' },
    skill_like: { is: 'likes' },
    skill_tag: { oneFor: 'tag that a skill has' },
    skill_tag_use: { oneFor: 'tag and wallet that has skills with it' },
    skill_use: { oneFor: 'skill and wallet that liked or downloaded it' },
    skill_version: { is: 'skills' },
    stale_value: { until: 'the value is computed' },
    static_signature: { oneFor: 'name that a wallet has signed for' },
    tally: { oneFor: 'total and shard' },
    trade: { is: 'the chain' },
    trade_rule: { is: 'what an owner allowed when' },
    trade_total: { oneFor: 'database' },
    trader: { oneFor: 'wallet that trades' },
    tweet: { is: 'tweets' },
    tweet_band: { old: { band: 1, value: 7, tweet_id: '01800000-0000-7000-8000-000000000000' } },
    tweet_embedding: { oneFor: 'tweet and model' },
    tweet_engagement: { oneFor: 'tweet and wallet that engaged with it' },
    tweet_like: { is: 'likes' },
    tweet_order: { oneFor: 'tweet' },
    tweet_sketch: {
      old: {
        tweet_id: '01800000-0000-7000-8000-000000000000',
        ...Object.fromEntries(Array.from({ length: 8 }, (_, band) => [`band_${band}`, 7])),
      },
    },
    tweet_view: { old: { tweet_id: tweetId, viewer: 'old', hour: at } },
    upload: { is: 'files of agents' },
    verification_code: { oneFor: 'agent that is pending' },
    video: { is: 'videos of agents' },
    wallet_alert: {
      old: { wallet, type: 'MENTION', agent_id: agentId, tweet_ids: [tweetId], is_read: false, at },
    },
    wallet_balance: { oneFor: 'wallet of an agent' },
    wallet_ban: { is: 'what operators decide' },
    wallet_follow: { is: 'follows' },
    wallet_watch: { is: 'what people watch' },
    webhook: { is: 'webhooks' },
    webhook_cursor: { oneFor: 'database' },
    webhook_delivery: {
      old: { webhook_id: webhookId, event: {}, status: 'dead', attempts: 1, give_up_at: at, created_at: at },
    },
    webhook_wait: { oneFor: 'agent' },
    withheld_avatar: { oneFor: 'withheld file and agent' },
    withheld_media: { oneFor: 'withheld file and tweet' },
  } satisfies Record<keyof Tables, End>
}
