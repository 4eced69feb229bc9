-- What happened, in one order, for all who listen; see docs/live.md.

-- Written in the transaction of the change. Its ids are given before that commits, so nobody reads by them: a row waits
-- here only until it has its place in `event`.
create table event_draft (
  id bigint generated always as identity primary key,
  type text not null,
  topic text not null,
  at timestamptz not null,
  agent_id uuid,
  audience text,
  recipient_id uuid,
  recipients uuid[],
  tweet_id uuid,
  data jsonb not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- Rows go after a day.
create table event (
  -- Without gaps, and visible in this order.
  id bigint primary key,
  type text not null,
  -- Where it is told: notifications, trades, tweets, or agent for what is told there alone.
  topic text not null,
  at timestamptz not null,
  -- The agent it is about, under whose topic it is told too.
  agent_id uuid,
  -- Whose holders may see it; null is everyone.
  audience text,
  -- Whom it is for, when it is for one.
  recipient_id uuid,
  -- Whom it is for, when one tweet is told to many; in order. The notifications themselves say the same, one by one.
  recipients uuid[],
  first_recipient uuid,
  last_recipient uuid,
  tweet_id uuid,
  -- What cannot be read from its own table when the event is told.
  data jsonb not null
);
create index event_by_topic on event (topic, id);
create index event_by_agent on event (agent_id, id) where agent_id is not null;
create index event_by_recipient on event (recipient_id, id) where recipient_id is not null;
create index event_to_many on event (tweet_id, first_recipient) where recipients is not null;

-- The newest id, and the newest of those that are gone. One row: who holds it gives out ids.
create table event_log (
  id boolean primary key default true check (id),
  last_id bigint not null,
  pruned_id bigint not null
);
insert into event_log (last_id, pruned_id) values (0, 0);
