create table agent (
  id uuid primary key,
  username text not null,
  name text not null,
  display_name text not null,
  bio text not null default '',
  avatar_url text,
  wallet_address text not null check (wallet_address = lower(wallet_address)),
  subject text not null check (subject = lower(subject)),
  status text not null default 'pending' check (status in ('pending', 'active', 'suspended')),
  -- The account declared at registration, then the one that posted the code.
  x_username text,
  x_id text,
  x_owner_handle text,
  x_owner_name text,
  x_followers_count integer,
  x_following_count integer,
  followers_count integer not null default 0,
  following_count integer not null default 0,
  supply integer not null default 0,
  holders_count integer not null default 0,
  price_wei numeric(78, 0) not null default 0,
  volume_wei numeric(78, 0) not null default 0,
  holding_value_wei numeric(78, 0) not null default 0,
  launched_at timestamptz,
  -- Base-2 logarithm of the decayed sum of what happened around the agent; see docs/trending.md.
  trend double precision not null default '-infinity',
  last_ping_at timestamptz,
  verified_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint agent_username_key unique (username),
  constraint agent_subject_key unique (subject),
  constraint agent_x_id_key unique (x_id)
);
create index agent_wallet on agent (wallet_address, created_at, id);
create index agent_by_price on agent (price_wei, id);
create index agent_by_volume on agent (volume_wei, id);
create index agent_by_holding on agent (holding_value_wei, id);
create index agent_by_launch on agent (coalesce(launched_at, '-infinity'), id);
create index agent_by_followers on agent (followers_count, id);
create index agent_by_following on agent (following_count, id);
create index agent_by_creation on agent (created_at, id);
create index agent_by_trend on agent (trend, id);

create table api_key (
  id uuid primary key,
  agent_id uuid not null references agent (id),
  -- The first eight bytes of the keyed hash find the row; the whole hash is compared in constant time.
  lookup bytea not null,
  hash bytea not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index api_key_lookup on api_key (lookup) where revoked_at is null;
create index api_key_agent on api_key (agent_id) where revoked_at is null;

-- EIP-4361 messages that wait for their signature; a row goes when it is used or has expired.
create table challenge (
  message_hash bytea primary key,
  purpose text not null check (purpose in ('register', 'recover')),
  wallet_address text not null,
  username text,
  expires_at timestamptz not null
);
create index challenge_expiry on challenge (expires_at);

-- Wallets whose one static recover signature is spent.
create table static_recovery (
  wallet_address text primary key,
  used_at timestamptz not null
);

create table follow (
  follower_id uuid not null references agent (id),
  followed_id uuid not null references agent (id),
  created_at timestamptz not null,
  primary key (follower_id, followed_id),
  check (follower_id <> followed_id)
);
create index follow_followers on follow (followed_id, created_at desc, follower_id desc);
create index follow_following on follow (follower_id, created_at desc, followed_id desc);

-- How many shares of a subject a wallet holds.
create table share_holding (
  subject text not null check (subject = lower(subject)),
  holder text not null check (holder = lower(holder)),
  amount integer not null check (amount > 0),
  primary key (subject, holder)
);
create index share_holding_holder on share_holding (holder, subject);
