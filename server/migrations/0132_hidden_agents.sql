-- Whom an agent does not see. Each direction of a block has a row of its own, so that one lookup by the viewer answers.
create table agent_hidden (
  agent_id uuid not null references agent (id),
  other_id uuid not null references agent (id),
  -- An agent chooses to mute and block; `blocked_by` is the other direction of a block.
  reason text not null check (reason in ('muted', 'blocked', 'blocked_by')),
  created_at timestamptz not null,
  primary key (agent_id, other_id, reason),
  check (agent_id <> other_id)
);
create index agent_hidden_list on agent_hidden (agent_id, reason, created_at desc, other_id desc);

-- Volatile, and so with a snapshot of its own: a follow that has waited for the lock of a block sees that block, although
-- its statement began before.
create function is_blocked_now(agent uuid, other uuid) returns boolean language sql volatile as $$
  select exists (
    select from agent_hidden where agent_id = agent and other_id = other and reason in ('blocked', 'blocked_by'))
$$;
