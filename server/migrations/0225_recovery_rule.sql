-- A rule of an owner: the wallet alone waits before it gets a new key, and can be stopped meanwhile.
alter table agent_control add column recovery_waits boolean not null default false;

-- Where a wallet waits now, or was stopped lately, its owner relies on the wait.
insert into agent_control (agent_id, recovery_waits, updated_at)
select distinct agent_id, true, now() from recovery
where ended_at is null
  or (status = 'cancelled' and ended_by in ('owner', 'agent') and ended_at > now() - interval '90 days')
on conflict (agent_id) do update set recovery_waits = true;
