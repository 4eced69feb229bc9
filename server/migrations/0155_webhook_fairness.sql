-- How many of a webhook's deliveries were dropped because too many waited.
alter table webhook add column dropped integer not null default 0;

-- How long slow receivers of an agent's webhooks were waited for in the hour that begins at `hour`.
create table webhook_wait (
  agent_id uuid primary key references agent (id) on delete cascade,
  hour timestamptz not null,
  waited_ms bigint not null
);
