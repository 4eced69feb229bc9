-- Keys that wallets asked for. While an agent is in use, everybody concerned has time to object before its keys are replaced.
create table recovery (
  id uuid primary key,
  agent_id uuid not null references agent (id),
  status text not null default 'waiting' check (status in ('waiting', 'completed', 'cancelled', 'expired')),
  created_at timestamptz not null,
  ready_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_by text check (ended_by in ('wallet', 'owner', 'agent', 'system')),
  check ((status = 'waiting') = (ended_at is null))
);
create unique index recovery_one_open on recovery (agent_id) where ended_at is null;
create index recovery_newest on recovery (agent_id, id);
