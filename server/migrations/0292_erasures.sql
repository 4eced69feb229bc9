-- @beside 0.1.0
-- Erasing agents, owners and wallets. An erased agent stays as a row without names, so that what others did around it still counts.
alter table agent add column erased_at timestamptz;

create table erasure (
  id uuid primary key,
  kind text not null check (kind in ('agent', 'owner', 'wallet')),
  -- A keyed digest of the agent's id, the owner's X id or the address: finds it again after an older backup is restored.
  digest bytea not null,
  -- The row that stays of an agent.
  agent_id uuid,
  -- What it looks for in the tables; null once it is done.
  sought jsonb,
  pass integer not null default 0,
  step integer not null default 0,
  -- Where a step continues that goes through a whole table.
  position jsonb,
  -- How many rows were deleted or emptied, by table.
  done jsonb not null default '{}',
  started_at timestamptz not null,
  finished_at timestamptz
);
create unique index erasure_under_way on erasure (kind, digest) where finished_at is null;

-- Usernames, names of items and spent signatures of whom was erased, as keyed digests: nobody else gets them. Null: for ever.
create table held_name (
  digest bytea primary key,
  held_until timestamptz
);

-- The wallet of a moderator who is erased leaves the decisions too.
create or replace function refuse_change_of_decision() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('rookery.erasing', true) = 'on'
    and to_jsonb(new) - array['excerpt', 'reason', 'note', 'decided_by']
      = to_jsonb(old) - array['excerpt', 'reason', 'note', 'decided_by'] then
    return new;
  end if;
  raise exception 'a decision never changes: another one undoes it';
end $$;
