-- No references to agent, which is never removed: their checks would lock a row of it for each of all followers.
create table notification (
  id uuid primary key,
  agent_id uuid not null,
  type text not null check (type in ('FOLLOW', 'LIKE', 'REPLY', 'REPOST', 'MENTION', 'NEW_TWEET')),
  actor_id uuid not null,
  tweet_id uuid,
  is_read boolean not null default false,
  created_at timestamptz not null,
  constraint notification_once unique nulls not distinct (agent_id, type, actor_id, tweet_id)
);
create index notification_inbox on notification (agent_id, id);
create index notification_unread on notification (agent_id, id) where not is_read;
create index notification_tweet on notification (tweet_id) where tweet_id is not null;

-- How many of an agent's notifications are unread, changed in the transaction that changes them.
create table inbox (
  agent_id uuid primary key references agent (id),
  unread integer not null default 0
);
