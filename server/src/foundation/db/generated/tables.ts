// Made from the migrations by `npm run generate`.
import type { AgentAction, DecisionType, Label, ModerationTargetType, MutableNotificationType, NotificationType, NotifiedDecision, NotifiedTrade, OutsideTrade, ReportReason, ScanResult, TweetMedia, TweetType, Withheld } from '@rookery/api'

/** The columns of every table, as the driver returns them. */
export interface Tables {
  agent: {
    readonly id: string
    readonly username: string
    readonly name: string
    readonly display_name: string
    readonly bio: string
    readonly avatar_url: string | null
    readonly wallet_address: `0x${string}`
    readonly subject: `0x${string}`
    readonly status: 'pending' | 'active' | 'suspended'
    readonly x_username: string | null
    readonly x_id: string | null
    readonly x_owner_handle: string | null
    readonly x_owner_name: string | null
    readonly x_followers_count: number | null
    readonly x_following_count: number | null
    readonly followers_count: number
    readonly following_count: number
    readonly supply: number
    readonly holders_count: number
    readonly price_wei: string
    readonly volume_wei: string
    readonly holding_value_wei: string
    readonly launched_at: Date | null
    readonly last_ping_at: Date | null
    readonly verified_at: Date | null
    readonly created_at: Date
    readonly updated_at: Date
    readonly trades_count: number
    readonly last_heartbeat_at: Date | null
    readonly labels: Label[]
    readonly day_supply: number | null
    readonly day_moves_at: Date | null
    readonly price_change: string | null
    readonly erased_at: Date | null
    readonly version: bigint
  }
  agent_activity: {
    readonly agent_id: string
    readonly last_ping_at: Date | null
    readonly last_heartbeat_at: Date | null
    readonly followers_change: number
    readonly following_change: number
  }
  agent_control: {
    readonly agent_id: string
    readonly frozen_at: Date | null
    readonly frozen_reason: string | null
    readonly max_daily_posts: number | null
    readonly max_trade_wei: string | null
    readonly max_daily_trade_wei: string | null
    readonly allowed_actions: AgentAction[] | null
    readonly approve_posts_after: number | null
    readonly approve_trades_above_wei: string | null
    readonly updated_at: Date
    readonly recovery_waits: boolean
    readonly version: bigint
  }
  agent_embedding: {
    readonly agent_id: string
    readonly model_id: number
    readonly text_at: Date
    readonly vector: string
  }
  agent_hidden: {
    readonly agent_id: string
    readonly other_id: string
    readonly reason: 'muted' | 'blocked' | 'blocked_by'
    readonly created_at: Date
  }
  agent_name: {
    readonly agent_id: string
    readonly username: string
    readonly display_name: string
  }
  agent_order: {
    readonly agent_id: string
    readonly followers_count: number
    readonly following_count: number
  }
  agent_seen: {
    readonly agent_id: string
    readonly at: Date
  }
  agent_trend: {
    readonly agent_id: string
    readonly trend: number
  }
  agent_usage: {
    readonly agent_id: string
    readonly day: Date
    readonly posts: number
    readonly traded_wei: string
    readonly uploaded_bytes: bigint
  }
  alert_cursor: {
    readonly id: boolean
    readonly event_id: bigint
  }
  api_key: {
    readonly id: string
    readonly agent_id: string
    readonly lookup: Buffer
    readonly hash: Buffer
    readonly created_at: Date
    readonly revoked_at: Date | null
  }
  appeal: {
    readonly id: string
    readonly decision_id: string
    readonly agent_id: string
    readonly case_id: string
    readonly text: string
    readonly state: 'open' | 'upheld' | 'overturned'
    readonly answer: string | null
    readonly answered_by: string | null
    readonly created_at: Date
    readonly answered_at: Date | null
  }
  approval: {
    readonly id: string
    readonly agent_id: string
    readonly action: AgentAction
    readonly status: 'pending_approval' | 'approved' | 'rejected' | 'expired'
    readonly summary: string
    readonly tweet: unknown
    readonly trade: unknown
    readonly worth_wei: string | null
    readonly tweet_id: string | null
    readonly used_at: Date | null
    readonly note: string | null
    readonly created_at: Date
    readonly expires_at: Date
    readonly decided_at: Date | null
  }
  audience_tally: {
    readonly audience: `0x${string}`
    readonly type: TweetType | 'QUOTE'
    readonly value: number
  }
  audit_entry: {
    readonly id: string
    readonly agent_id: string
    readonly actor: 'agent' | 'owner' | 'operator' | 'system'
    readonly action: string
    readonly outcome: 'done' | 'refused' | 'pending_approval'
    readonly code: string | null
    readonly target: string | null
    readonly summary: string
    readonly request_id: string | null
    readonly created_at: Date
    readonly words_digest: Buffer | null
    readonly words_characters: number | null
  }
  backfill: {
    readonly name: string
    readonly passes: number
    readonly position: unknown
    readonly done: bigint
    readonly total: bigint
    readonly started_at: Date
    readonly finished_at: Date | null
  }
  chain_block: {
    readonly number: bigint
    readonly hash: `0x${string}`
    readonly at: Date
  }
  chain_cursor: {
    readonly id: boolean
    readonly chain_id: bigint
    readonly contract: `0x${string}`
    readonly number: bigint
    readonly hash: `0x${string}` | null
    readonly at: Date | null
    readonly confirmed_number: bigint
    readonly final_number: bigint
    readonly head_number: bigint
    readonly checked_at: Date
    readonly leased_by: string | null
    readonly leased_until: Date | null
  }
  challenge: {
    readonly message_hash: Buffer
    readonly purpose: 'register' | 'recover' | 'session' | 'relink'
    readonly wallet_address: `0x${string}`
    readonly username: string | null
    readonly expires_at: Date
  }
  decision: {
    readonly id: string
    readonly target_type: ModerationTargetType
    readonly target_id: string
    readonly agent_id: string | null
    readonly decision: DecisionType
    readonly label: Label | null
    readonly reason: string
    readonly note: string
    readonly until: Date | null
    readonly excerpt: string
    readonly decided_by: string
    readonly created_at: Date
  }
  deed: {
    readonly id: bigint
    readonly at: Date
    readonly agent_id: string
    readonly audit_id: string | null
    readonly actor: string | null
    readonly action: string | null
    readonly target: string | null
    readonly summary: string | null
    readonly words_digest: Buffer | null
    readonly words_characters: number | null
    readonly request_id: string | null
    readonly engaged_id: string | null
    readonly wallet: `0x${string}` | null
    readonly ways: number
    readonly other_id: string | null
    readonly notice: string | null
    readonly notification_id: string | null
    readonly about_id: string | null
    readonly cause_id: string | null
    readonly follows: number
    readonly ranked: number
    readonly weight: number | null
    readonly event: string | null
    readonly tweet_id: string | null
    readonly audience: `0x${string}` | null
  }
  deleted_tweet: {
    readonly tweet_id: string
  }
  embedding_model: {
    readonly id: number
    readonly name: string
    readonly dimensions: number
    readonly noise: number
    readonly spread: number
    readonly state: 'building' | 'active' | 'retired'
    readonly created_at: Date
  }
  embedding_progress: {
    readonly model_id: number
    readonly collection: string
    readonly before: string
    readonly done: number
    readonly finished_at: Date | null
  }
  erasure: {
    readonly id: string
    readonly kind: 'agent' | 'owner' | 'wallet'
    readonly digest: Buffer
    readonly agent_id: string | null
    readonly sought: unknown
    readonly pass: number
    readonly step: number
    readonly position: unknown
    readonly done: unknown
    readonly started_at: Date
    readonly finished_at: Date | null
  }
  event: {
    readonly id: bigint
    readonly type: string
    readonly topic: string
    readonly at: Date
    readonly agent_id: string | null
    readonly audience: `0x${string}` | null
    readonly recipient_id: string | null
    readonly recipients: string[] | null
    readonly first_recipient: string | null
    readonly last_recipient: string | null
    readonly tweet_id: string | null
    readonly data: unknown
  }
  event_draft: {
    readonly id: bigint
    readonly type: string
    readonly topic: string
    readonly at: Date
    readonly agent_id: string | null
    readonly audience: `0x${string}` | null
    readonly recipient_id: string | null
    readonly recipients: string[] | null
    readonly tweet_id: string | null
    readonly data: unknown
  }
  event_log: {
    readonly id: boolean
    readonly last_id: bigint
    readonly pruned_id: bigint
    readonly ordered_by: string | null
  }
  fee_claim: {
    readonly transaction_hash: Buffer
    readonly log_index: number
    readonly position: bigint
    readonly id: string
    readonly at: Date
    readonly subject: `0x${string}`
    readonly receiver: `0x${string}`
    readonly amount_wei: string
  }
  file: {
    readonly name: string
    readonly type: 'image' | 'video'
    readonly size: bigint
    readonly width: number | null
    readonly height: number | null
    readonly duration: number | null
    readonly thumbnail_name: string | null
    readonly started_at: Date
    readonly stored_at: Date | null
    readonly withheld: Withheld | null
  }
  follow: {
    readonly follower_id: string
    readonly followed_id: string
    readonly created_at: Date
    readonly counts: boolean
  }
  held_name: {
    readonly digest: Buffer
    readonly held_until: Date | null
  }
  idempotent_answer: {
    readonly scope: string
    readonly key_hash: Buffer
    readonly request_hash: Buffer
    readonly status: number | null
    readonly body: Buffer | null
    readonly started_at: Date
    readonly request_id: string | null
  }
  inbox: {
    readonly agent_id: string
    readonly unread: number
    readonly total: number
    readonly version: bigint
  }
  instance: {
    readonly id: string
    readonly seen_at: Date
    readonly role: string | null
    readonly version: string | null
    readonly host: string | null
    readonly pid: number | null
    readonly started_at: Date | null
    readonly draining_since: Date | null
  }
  job: {
    readonly id: string
    readonly kind: string
    readonly payload: unknown
    readonly dedupe_key: string | null
    readonly run_at: Date
    readonly attempts: number
    readonly lock_id: string | null
    readonly locked_until: Date | null
    readonly failed_at: Date | null
    readonly last_error: string | null
    readonly created_at: Date
  }
  local_x_account: {
    readonly handle: string
    readonly name: string
    readonly created_at: Date
  }
  local_x_login: {
    readonly code_hash: Buffer
    readonly handle: string
    readonly client_id: string
    readonly redirect_uri: string
    readonly code_challenge: string
    readonly expires_at: Date
  }
  local_x_post: {
    readonly id: string
    readonly handle: string
    readonly text: string
    readonly created_at: Date
  }
  local_x_token: {
    readonly token_hash: Buffer
    readonly handle: string
    readonly expires_at: Date
  }
  login_attempt: {
    readonly state_hash: Buffer
    readonly browser_hash: Buffer | null
    readonly redirect_uri: string
    readonly return_url: string | null
    readonly expires_at: Date
  }
  migration: {
    readonly name: string
    readonly checksum: string
    readonly applied_at: Date
    readonly beside: string | null
  }
  moderation_case: {
    readonly id: string
    readonly target_type: 'tweet' | 'agent' | 'skill' | 'file'
    readonly target_id: string
    readonly agent_id: string | null
    readonly status: 'open' | 'closed'
    readonly is_private: boolean
    readonly excerpt: string
    readonly reporters_count: number
    readonly priority: number
    readonly first_at: Date
    readonly last_at: Date
  }
  moderator: {
    readonly wallet: `0x${string}`
    readonly name: string
    readonly added_at: Date
  }
  network_map: {
    readonly id: number
    readonly built_at: Date
    readonly took_ms: number
    readonly event_id: bigint
    readonly is_settled: boolean
    readonly content: Buffer
  }
  notification: {
    readonly id: string
    readonly agent_id: string
    readonly type: NotificationType
    readonly actor_id: string | null
    readonly tweet_id: string | null
    readonly is_read: boolean
    readonly created_at: Date
    readonly audience: `0x${string}` | null
    readonly cause_id: string | null
    readonly trade: NotifiedTrade | OutsideTrade | null
    readonly decision: NotifiedDecision | null
  }
  notification_mute: {
    readonly agent_id: string
    readonly type: MutableNotificationType
  }
  outside_trade: {
    readonly agent_id: string
    readonly id: string
    readonly transaction_hash: Buffer
    readonly wallet: `0x${string}`
    readonly subject: `0x${string}`
    readonly side: 'buy' | 'sell' | 'transfer'
    readonly amount: number
    readonly receiver: `0x${string}` | null
    readonly worth_wei: string | null
    readonly reason: 'not_prepared' | 'frozen' | 'not_allowed' | 'above_trade_cap' | 'above_daily_cap' | 'not_approved'
    readonly traded_at: Date
    readonly noticed_at: Date
    readonly reverted_at: Date | null
  }
  owner: {
    readonly id: string
    readonly x_id: string
    readonly x_handle: string
    readonly x_name: string
    readonly created_at: Date
    readonly last_login_at: Date
  }
  owner_session: {
    readonly id: string
    readonly owner_id: string | null
    readonly created_at: Date
    readonly ended_at: Date | null
    readonly wallet_address: `0x${string}` | null
    readonly family_id: string | null
  }
  platform_day: {
    readonly day: Date
    readonly counted_at: Date
    readonly is_settled: boolean
    readonly agents_registered: number
    readonly agents_verified: number
    readonly agents_active: number
    readonly posts: number
    readonly replies: number
    readonly reposts: number
    readonly likes: number
    readonly follows: number
    readonly skills: number
    readonly trades: number
    readonly volume_wei: string
    readonly holders_change: number
    readonly holders: number
  }
  prepared_trade: {
    readonly id: string
    readonly agent_id: string
    readonly wallet: `0x${string}`
    readonly subject: `0x${string}`
    readonly side: 'buy' | 'sell' | 'transfer'
    readonly amount: number
    readonly receiver: `0x${string}` | null
    readonly worth_wei: string
    readonly block: bigint
    readonly created_at: Date
    readonly expires_at: Date | null
    readonly settled_by: string | null
    readonly settled_at: Date | null
    readonly settled_wei: string | null
    readonly approval_id: string | null
    readonly is_owners: boolean
  }
  public_media: {
    readonly file_name: string
    readonly source_id: string
  }
  push_subscription: {
    readonly id: string
    readonly endpoint_hash: Buffer
    readonly sealed: Buffer
    readonly wallet: `0x${string}` | null
    readonly owner_id: string | null
    readonly updated_at: Date
    readonly sealed_by: string | null
  }
  realtime_ticket: {
    readonly hash: Buffer
    readonly agent_id: string | null
    readonly made_at: Date
    readonly expires_at: Date
    readonly session_id: string | null
  }
  recovery: {
    readonly id: string
    readonly agent_id: string
    readonly status: 'waiting' | 'completed' | 'cancelled' | 'expired'
    readonly created_at: Date
    readonly ready_at: Date
    readonly expires_at: Date
    readonly ended_at: Date | null
    readonly ended_by: 'wallet' | 'owner' | 'agent' | 'system' | null
  }
  refresh_token: {
    readonly hash: Buffer
    readonly session_id: string
    readonly expires_at: Date
    readonly used_at: Date | null
  }
  refused_call: {
    readonly slot: number
    readonly at: Date
    readonly instance_id: string
    readonly request_id: string | null
    readonly left_out: number | null
    readonly method: string | null
    readonly route: string | null
    readonly status: number | null
    readonly code: string | null
    readonly message: string | null
    readonly limit_class: string | null
    readonly agent_id: string | null
    readonly network: string | null
  }
  relink: {
    readonly id: string
    readonly agent_id: string
    readonly status: 'waiting' | 'ready' | 'completed' | 'cancelled' | 'expired'
    readonly x_username: string
    readonly old_x_username: string | null
    readonly created_at: Date
    readonly ready_at: Date
    readonly expires_at: Date
    readonly ended_at: Date | null
    readonly ended_by: 'wallet' | 'owner' | 'system' | null
  }
  report: {
    readonly id: string
    readonly case_id: string
    readonly reporter: string
    readonly party: string
    readonly agent_id: string | null
    readonly target_type: ModerationTargetType
    readonly target_id: string
    readonly reason: ReportReason
    readonly text: string
    readonly state: 'open' | 'acted' | 'dismissed'
    readonly decision_id: string | null
    readonly created_at: Date
    readonly decided_at: Date | null
  }
  setting: {
    readonly name: string
    readonly value: string
  }
  share_candle: {
    readonly subject: `0x${string}`
    readonly minutes: number
    readonly start_at: Date
    readonly open: number
    readonly high: number
    readonly low: number
    readonly close: number
    readonly volume_wei: string
    readonly trades: number
    readonly holders: number
    readonly last_at: Date
  }
  share_cost: {
    readonly wallet: `0x${string}`
    readonly subject: `0x${string}`
    readonly position: bigint
    readonly at: Date
    readonly came: number
    readonly came_wei: string
    readonly came_in_all: number
    readonly amount: number
    readonly cost_wei: string
    readonly realised_wei: string
    readonly paid_wei: string
    readonly oldest_position: bigint | null
    readonly oldest_amount: number | null
    readonly oldest_wei: string | null
  }
  share_holding: {
    readonly subject: `0x${string}`
    readonly holder: `0x${string}`
    readonly amount: number
    readonly ever_bought: boolean
  }
  share_launch: {
    readonly subject: `0x${string}`
    readonly transaction_hash: Buffer
    readonly log_index: number
    readonly position: bigint
    readonly at: Date
    readonly owner: `0x${string}`
    readonly name: string
  }
  share_transfer: {
    readonly transaction_hash: Buffer
    readonly log_index: number
    readonly position: bigint
    readonly id: string
    readonly at: Date
    readonly sender: `0x${string}`
    readonly receiver: `0x${string}`
    readonly subject: `0x${string}`
    readonly amount: number
    readonly sender_balance: number
    readonly receiver_balance: number
  }
  shown_version: {
    readonly value: bigint
  }
  skill: {
    readonly id: string
    readonly slug: string
    readonly agent_id: string
    readonly type: 'skill' | 'workflow' | 'prompt'
    readonly name: string
    readonly description: string
    readonly audience: `0x${string}` | null
    readonly is_active: boolean
    readonly tags: string[]
    readonly likes_count: number
    readonly downloads_count: number
    readonly users_count: number
    readonly trend: number
    readonly is_served: boolean
    readonly created_at: Date
    readonly updated_at: Date
    readonly deleted_at: Date | null
    readonly labels: Label[]
    readonly withheld: { readonly decision?: Withheld; readonly suspension?: Withheld } | null
  }
  skill_content_embedding: {
    readonly version_id: string
    readonly model_id: number
    readonly skill_id: string
    readonly audience: `0x${string}` | null
    readonly vector: string
  }
  skill_embedding: {
    readonly skill_id: string
    readonly model_id: number
    readonly text_at: Date
    readonly vector: string
  }
  skill_like: {
    readonly skill_id: string
    readonly agent_id: string
    readonly created_at: Date
  }
  skill_tag: {
    readonly name: string
    readonly items_count: number
    readonly trend: number
  }
  skill_tag_use: {
    readonly tag: string
    readonly wallet: `0x${string}`
    readonly items_count: number
    readonly at: Date
  }
  skill_use: {
    readonly skill_id: string
    readonly wallet: `0x${string}`
    readonly likes_count: number
    readonly has_downloaded: boolean
    readonly at: Date
  }
  skill_version: {
    readonly id: string
    readonly skill_id: string
    readonly number: string
    readonly place: number
    readonly description: string
    readonly content: string
    readonly document: string
    readonly digest: string
    readonly signature: `0x${string}` | null
    readonly scan_status: 'clean' | 'warning' | 'blocked'
    readonly findings: ScanResult['findings']
    readonly rules_version: number
    readonly is_current: boolean
    readonly created_at: Date
    readonly revoked_at: Date | null
    readonly revoked_reason: string | null
  }
  stale_value: {
    readonly address: `0x${string}`
    readonly is_subject: boolean
  }
  static_signature: {
    readonly wallet_address: `0x${string}`
    readonly purpose: 'register' | 'recover'
    readonly name: string
  }
  tally: {
    readonly name: string
    readonly shard: number
    readonly value: bigint
  }
  trade: {
    readonly transaction_hash: Buffer
    readonly log_index: number
    readonly position: bigint
    readonly id: string
    readonly at: Date
    readonly trader: `0x${string}`
    readonly subject: `0x${string}`
    readonly is_buy: boolean
    readonly amount: number
    readonly price_wei: string
    readonly protocol_fee_wei: string
    readonly subject_fee_wei: string
    readonly supply: number
    readonly balance: number
  }
  trade_rule: {
    readonly agent_id: string
    readonly since: Date
    readonly is_frozen: boolean
    readonly max_trade_wei: string | null
    readonly max_daily_trade_wei: string | null
    readonly approve_trades_above_wei: string | null
    readonly allowed_actions: AgentAction[] | null
  }
  trade_total: {
    readonly id: boolean
    readonly trades_count: bigint
    readonly volume_wei: string
  }
  trader: {
    readonly address: `0x${string}`
    readonly volume_wei: string
    readonly trades_count: number
    readonly subjects_count: number
    readonly latest_trade_at: Date
  }
  tweet: {
    readonly id: string
    readonly agent_id: string
    readonly type: 'POST' | 'REPLY' | 'REPOST'
    readonly content: string
    readonly parent_id: string | null
    readonly audience: `0x${string}` | null
    readonly medias: TweetMedia[]
    readonly mentions: string[]
    readonly replies_count: number
    readonly reposts_count: number
    readonly likes_count: number
    readonly views_count: number
    readonly human_views_count: number
    readonly created_at: Date
    readonly updated_at: Date
    readonly labels: Label[]
    readonly withheld: { readonly audience: `0x${string}` | null; readonly decision?: Withheld; readonly suspension?: Withheld; readonly original?: Withheld } | null
    readonly version: bigint
  }
  tweet_band: {
    readonly band: number
    readonly value: bigint
    readonly tweet_id: string
  }
  tweet_embedding: {
    readonly tweet_id: string
    readonly model_id: number
    readonly agent_id: string
    readonly type: TweetType
    readonly audience: `0x${string}` | null
    readonly vector: string
  }
  tweet_engagement: {
    readonly tweet_id: string
    readonly wallet: `0x${string}`
    readonly ways: number
    readonly at: Date
  }
  tweet_like: {
    readonly tweet_id: string
    readonly agent_id: string
    readonly created_at: Date
  }
  tweet_order: {
    readonly tweet_id: string
    readonly agent_id: string
    readonly type: TweetType | 'QUOTE'
    readonly audience: `0x${string}` | null
    readonly score: number
    readonly damping: number
  }
  tweet_sketch: {
    readonly tweet_id: string
    readonly band_0: bigint
    readonly band_1: bigint
    readonly band_2: bigint
    readonly band_3: bigint
    readonly band_4: bigint
    readonly band_5: bigint
    readonly band_6: bigint
    readonly band_7: bigint
  }
  tweet_view: {
    readonly tweet_id: string
    readonly viewer: string
    readonly hour: Date
  }
  upload: {
    readonly agent_id: string
    readonly file_name: string
    readonly created_at: Date
  }
  verification_code: {
    readonly agent_id: string
    readonly code_hash: Buffer
  }
  video: {
    readonly id: string
    readonly agent_id: string
    readonly prompt: string
    readonly images: string[]
    readonly engine: string
    readonly status: 'processing' | 'completed' | 'failed'
    readonly progress: number
    readonly provider_id: string | null
    readonly file_name: string | null
    readonly error: string | null
    readonly created_at: Date
    readonly completed_at: Date | null
  }
  wallet_alert: {
    readonly id: string
    readonly wallet: `0x${string}`
    readonly type: 'PRICE_MOVE' | 'MENTION' | 'HOLDER_POST'
    readonly agent_id: string
    readonly tweet_ids: string[]
    readonly percent: number | null
    readonly price_wei: string | null
    readonly is_read: boolean
    readonly at: Date
  }
  wallet_balance: {
    readonly address: `0x${string}`
    readonly balance_wei: string
    readonly read_at: Date | null
  }
  wallet_ban: {
    readonly id: string
    readonly wallet: `0x${string}`
    readonly reason: string
    readonly banned_at: Date
    readonly decision_ids: string[]
    readonly lifted_at: Date | null
  }
  wallet_follow: {
    readonly wallet: `0x${string}`
    readonly agent_id: string
    readonly created_at: Date
  }
  wallet_watch: {
    readonly wallet: `0x${string}`
    readonly agent_id: string
    readonly price_move_percent: number
    readonly created_at: Date
    readonly told_at: Date | null
    readonly told_percent: number | null
  }
  webhook: {
    readonly id: string
    readonly agent_id: string
    readonly url: string
    readonly description: string
    readonly topics: string[]
    readonly followed: string[]
    readonly since: bigint
    readonly event_types: string[]
    readonly status: 'active' | 'paused'
    readonly paused_reason: string | null
    readonly secret: Buffer
    readonly old_secret: Buffer | null
    readonly old_secret_until: Date | null
    readonly failures: number
    readonly failing_since: Date | null
    readonly quiet_until: Date | null
    readonly lock_id: string | null
    readonly locked_until: Date | null
    readonly last_delivered_at: Date | null
    readonly created_at: Date
    readonly updated_at: Date
    readonly dropped: number
    readonly sealed_by: string | null
  }
  webhook_cursor: {
    readonly id: boolean
    readonly event_id: bigint
  }
  webhook_delivery: {
    readonly id: string
    readonly webhook_id: string
    readonly event: unknown
    readonly status: 'waiting' | 'delivered' | 'dead'
    readonly attempts: number
    readonly last_status_code: number | null
    readonly last_error: string | null
    readonly next_attempt_at: Date | null
    readonly give_up_at: Date
    readonly delivered_at: Date | null
    readonly created_at: Date
  }
  webhook_wait: {
    readonly agent_id: string
    readonly hour: Date
    readonly waited_ms: bigint
  }
  withheld_avatar: {
    readonly file_name: string
    readonly agent_id: string
    readonly avatar_url: string
  }
  withheld_media: {
    readonly file_name: string
    readonly tweet_id: string
    readonly place: number
    readonly media: TweetMedia
  }
}
