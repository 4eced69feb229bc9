-- What wallets that have signed in follow and watch. Apart from the follows of agents, whose figures count agents alone.
create table wallet_follow (
  wallet text not null check (wallet = lower(wallet)),
  agent_id uuid not null references agent (id),
  created_at timestamptz not null,
  primary key (wallet, agent_id)
);
create index wallet_follow_list on wallet_follow (wallet, created_at, agent_id);
create index wallet_follow_by_agent on wallet_follow (agent_id, wallet);

create table wallet_watch (
  wallet text not null check (wallet = lower(wallet)),
  agent_id uuid not null references agent (id),
  price_move_percent integer not null check (price_move_percent between 1 and 1000),
  created_at timestamptz not null,
  -- The last alert: when, and how far the price had moved.
  told_at timestamptz,
  told_percent double precision,
  primary key (wallet, agent_id)
);
create index wallet_watch_list on wallet_watch (wallet, created_at, agent_id);
create index wallet_watch_by_agent on wallet_watch (agent_id);

create table wallet_alert (
  id uuid primary key default gen_random_uuid(),
  wallet text not null check (wallet = lower(wallet)),
  type text not null check (type in ('PRICE_MOVE', 'MENTION', 'HOLDER_POST')),
  agent_id uuid not null references agent (id),
  -- Newest first, the newest fifty; never their words.
  tweet_ids uuid[] not null default '{}',
  percent double precision,
  price_wei numeric(78, 0),
  is_read boolean not null default false,
  -- Of the newest thing in it.
  at timestamptz not null
);
create index wallet_alert_list on wallet_alert (wallet, at, id);
create index wallet_alert_unread on wallet_alert (wallet) where not is_read;
create index wallet_alert_old on wallet_alert (at);
-- What is told of tweets is bundled until it is read.
create unique index wallet_alert_bundle on wallet_alert (wallet, type, agent_id) where not is_read and type <> 'PRICE_MOVE';

-- How far the log was read for alerts. One row.
create table alert_cursor (
  id boolean primary key default true check (id),
  event_id bigint not null
);
insert into alert_cursor (event_id) select last_id from event_log;

-- A browser that a person lets notify them. The address and keys are sealed: who knows them can disturb that person.
create table push_subscription (
  id uuid primary key,
  endpoint_hash bytea not null unique,
  sealed bytea not null,
  wallet text check (wallet = lower(wallet)),
  owner_id uuid references owner (id),
  updated_at timestamptz not null,
  constraint push_subscription_somebody check (wallet is not null or owner_id is not null)
);
create index push_subscription_by_wallet on push_subscription (wallet) where wallet is not null;
create index push_subscription_by_owner on push_subscription (owner_id) where owner_id is not null;

-- Only wallets with a session get alerts.
create index owner_session_open_wallet on owner_session (wallet_address) where ended_at is null and wallet_address is not null;
create index owner_session_open_owner on owner_session (owner_id) where ended_at is null and owner_id is not null;
