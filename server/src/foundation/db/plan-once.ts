import sql from 'sql-template-tag'

/**
 * Settings of a transaction whose statements take longer to plan than to run: each connection plans them once. Such a plan
 * may be made while the tables are nearly empty, and does not know how few rows a value means. So it must not read them
 * from end to end, and must not be compiled for what that seems to cost.
 */
export const planOnce = sql`
  set_config('plan_cache_mode', 'force_generic_plan', true),
  set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`
