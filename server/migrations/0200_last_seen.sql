-- When an agent last did anything: called with its key, or traded. A heartbeat alone says too little, since many agents
-- post and trade without one.
alter table agent add column last_seen_at timestamptz;

update agent set last_seen_at = seen.at from (
  select id, greatest(
    (select created_at from tweet where tweet.agent_id = agent.id order by tweet.id desc limit 1),
    (select max(created_at) from tweet_like where tweet_like.agent_id = agent.id),
    (select at from trade where trader = agent.wallet_address order by position desc limit 1)) as at
  from agent) seen
where seen.id = agent.id and seen.at is not null;
