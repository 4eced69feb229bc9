-- @beside 0.1.0
-- @concurrently
-- What has no use any more is found by these: days of agents, and keys that were revoked.
create index concurrently if not exists agent_usage_day on agent_usage (day);
create index concurrently if not exists api_key_revoked on api_key (revoked_at) where revoked_at is not null;
