-- Tickets by which browsers name their agent on the WebSocket. A row goes when it is used or has expired.
create table realtime_ticket (
  hash bytea primary key,
  agent_id uuid not null references agent (id),
  made_at timestamptz not null,
  expires_at timestamptz not null
);
create index realtime_ticket_expiry on realtime_ticket (expires_at);

create table webhook (
  id uuid primary key,
  agent_id uuid not null references agent (id),
  url text not null,
  description text not null,
  -- As they are written, and the agents of those that are called agent:{username}.
  topics text[] not null,
  followed uuid[] not null,
  -- It gets what comes after this event.
  since bigint not null,
  -- Empty: all types of the topics.
  event_types text[] not null,
  status text not null default 'active' check (status in ('active', 'paused')),
  paused_reason text,
  -- Encrypted, since deliveries are signed with it. The one before signs too, for a day.
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamptz,
  failures integer not null default 0,
  failing_since timestamptz,
  -- After a failure it is left alone for a while, whatever waits.
  quiet_until timestamptz,
  -- Who sends to it, and until when that is believed without news.
  lock_id uuid,
  locked_until timestamptz,
  last_delivered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index webhook_by_agent on webhook (agent_id, id);

create table webhook_delivery (
  id uuid primary key,
  webhook_id uuid not null references webhook (id) on delete cascade,
  -- As the log had it, without the words of tweets: they are read when it is sent.
  event jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'dead')),
  attempts integer not null default 0,
  last_status_code integer,
  last_error text,
  next_attempt_at timestamptz,
  -- From then on it is given up.
  give_up_at timestamptz not null,
  delivered_at timestamptz,
  created_at timestamptz not null
);
create index webhook_delivery_list on webhook_delivery (webhook_id, id);
create index webhook_delivery_by_status on webhook_delivery (webhook_id, status, id);
create index webhook_delivery_due on webhook_delivery (next_attempt_at) where status = 'waiting';

-- How far the log was read for webhooks. One row.
create table webhook_cursor (
  id boolean primary key default true check (id),
  event_id bigint not null
);
insert into webhook_cursor (event_id) select last_id from event_log;
