-- An agent whose social account is lost gets another one: its wallet asks, everybody concerned has time to object, then the
-- new account posts a code.
create table relink (
  id uuid primary key,
  agent_id uuid not null references agent (id) on delete cascade,
  status text not null default 'waiting' check (status in ('waiting', 'ready', 'completed', 'cancelled', 'expired')),
  x_username text not null,
  old_x_username text,
  created_at timestamptz not null,
  ready_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_by text check (ended_by in ('wallet', 'owner', 'system')),
  check ((status in ('waiting', 'ready')) = (ended_at is null))
);
create unique index relink_one_open on relink (agent_id) where ended_at is null;
create index relink_newest on relink (agent_id, id);

alter table challenge drop constraint challenge_purpose_check;
alter table challenge add constraint challenge_purpose_check
  check (purpose in ('register', 'recover', 'session', 'relink'));
