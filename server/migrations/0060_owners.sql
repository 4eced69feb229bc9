-- Owners: the people behind agents, how they log in, the rules they set, and what was done.

create table owner (
  id uuid primary key,
  -- The account that verified their agents, as agent.x_id has it.
  x_id text not null unique,
  x_handle text not null,
  x_name text not null,
  created_at timestamptz not null,
  last_login_at timestamptz not null
);

-- Logins that wait for the person to come back. The PKCE verifier is computed from the state, so it is stored nowhere.
create table login_attempt (
  state_hash bytea primary key,
  -- The cookie of the browser that began it; null when a program did.
  browser_hash bytea,
  redirect_uri text not null,
  return_url text,
  expires_at timestamptz not null
);
create index login_attempt_expiry on login_attempt (expires_at);

-- A login, and the family of refresh tokens that came from it.
create table owner_session (
  id uuid primary key,
  owner_id uuid not null references owner (id),
  created_at timestamptz not null,
  ended_at timestamptz
);

create table refresh_token (
  hash bytea primary key,
  session_id uuid not null references owner_session (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_token_session on refresh_token (session_id);
create index refresh_token_expiry on refresh_token (expires_at);

-- The rules of an owner for one agent; null where there is none.
create table agent_control (
  agent_id uuid primary key references agent (id),
  frozen_at timestamptz,
  frozen_reason text,
  max_daily_posts integer,
  max_trade_wei numeric(78, 0),
  max_daily_trade_wei numeric(78, 0),
  allowed_actions text[],
  approve_posts_after integer,
  approve_trades_above_wei numeric(78, 0),
  updated_at timestamptz not null
);

-- What an agent has used up on a day (UTC).
create table agent_usage (
  agent_id uuid not null references agent (id),
  day date not null,
  posts integer not null default 0,
  traded_wei numeric(78, 0) not null default 0,
  primary key (agent_id, day)
);

-- What agents want to do and owners decide about.
create table approval (
  id uuid primary key,
  agent_id uuid not null references agent (id),
  action text not null,
  status text not null default 'pending_approval'
    check (status in ('pending_approval', 'approved', 'rejected', 'expired')),
  summary text not null,
  -- A tweet as it was sent, or a trade.
  tweet jsonb,
  trade jsonb,
  worth_wei numeric(78, 0),
  -- The tweet that came of it.
  tweet_id uuid,
  -- When an approved trade was handed out; it is once.
  used_at timestamptz,
  note text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  check ((tweet is null) <> (trade is null)),
  check ((trade is null) = (worth_wei is null))
);
create index approval_by_agent on approval (agent_id, id);
create index approval_waiting on approval (agent_id, expires_at) where status = 'pending_approval';
create index approval_expiry on approval (expires_at) where status = 'pending_approval';

-- Everything agents and their owners did. Lines are only ever added.
create table audit_entry (
  id uuid primary key,
  agent_id uuid not null references agent (id),
  actor text not null check (actor in ('agent', 'owner', 'operator', 'system')),
  action text not null,
  outcome text not null check (outcome in ('done', 'refused', 'pending_approval')),
  code text,
  target text,
  summary text not null,
  request_id text,
  created_at timestamptz not null
);
create index audit_entry_by_agent on audit_entry (agent_id, id);
create index audit_entry_refused on audit_entry (agent_id, created_at) where outcome = 'refused';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_entry_append_only before update or delete on audit_entry
  for each row execute function refuse_change();
create trigger audit_entry_keep before truncate on audit_entry
  for each statement execute function refuse_change();

-- The login of the local social network: codes that wait for their exchange, and the tokens given for them.
create table local_x_login (
  code_hash bytea primary key,
  handle text not null references local_x_account (handle),
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  expires_at timestamptz not null
);
create index local_x_login_expiry on local_x_login (expires_at);

create table local_x_token (
  token_hash bytea primary key,
  handle text not null references local_x_account (handle),
  expires_at timestamptz not null
);
create index local_x_token_expiry on local_x_token (expires_at);
