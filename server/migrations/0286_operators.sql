-- @beside 0.1.0
-- What operators decide while the service runs, and what they ask afterwards.

-- Wallets that moderate, besides MODERATOR_WALLETS.
create table moderator (
  wallet text collate "C" primary key,
  name text not null,
  added_at timestamptz not null
);

-- Wallets that may not register, verify, recover, move an agent or sign in.
create table wallet_ban (
  id uuid primary key,
  wallet text collate "C" not null,
  reason text not null,
  banned_at timestamptz not null,
  -- The decisions that suspended the wallet's agents, about which their notices are and which can be appealed.
  decision_ids uuid[] not null,
  lifted_at timestamptz
);
create unique index wallet_ban_in_force on wallet_ban (wallet) where lifted_at is null;

-- What the processes that serve one database say of themselves. One with a time in draining_since gets no new callers.
alter table instance add column role text;
alter table instance add column version text;
alter table instance add column host text;
alter table instance add column pid integer;
alter table instance add column started_at timestamptz;
alter table instance add column draining_since timestamptz;

-- The last calls that were refused, in a ring: a new one takes the slot of the oldest. Neither secrets nor contents.
create sequence refused_call_slot as integer minvalue 1 maxvalue 50000 cycle;
create table refused_call (
  slot integer primary key,
  at timestamptz not null,
  instance_id uuid not null,
  -- Null where there were too many: then only their number is here.
  request_id text,
  left_out integer,
  method text,
  route text,
  status integer,
  code text,
  message text,
  limit_class text,
  agent_id uuid,
  network text
);
create index refused_call_by_request on refused_call (request_id) where request_id is not null;
