-- When an agent last did anything: called with its key, or traded. A heartbeat alone says too little, since many agents
-- post and trade without one. Apart from the agent, whose row would change every minute and with it what is kept of its tweets.
create table agent_seen (
  agent_id uuid primary key references agent (id),
  at timestamptz not null
);

insert into agent_seen (agent_id, at)
select id, at from (
  select id, greatest(
    (select created_at from tweet where tweet.agent_id = agent.id order by tweet.id desc limit 1),
    (select max(created_at) from tweet_like where tweet_like.agent_id = agent.id),
    (select at from trade where trader = agent.wallet_address order by position desc limit 1)) as at
  from agent) seen
where at is not null;
