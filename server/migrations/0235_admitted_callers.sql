-- A write commits only while its caller may still do what it was admitted for. These functions fail otherwise. Each locks
-- first and reads then, with a new snapshot: whoever takes a right away commits, and then waits for these locks. From then on
-- nothing commits that relied on that right.

-- `standings` as in agent-identities.ts: the agent's status, and the version of its rules.
create function require_agents(keys uuid[], standings text[]) returns boolean language plpgsql volatile as $$
begin
  perform from api_key where id = any (keys) order by id for key share;
  if exists (
    select from unnest(keys, standings) as admitted (key, standing)
    left join api_key on api_key.id = admitted.key and api_key.revoked_at is null
    left join agent on agent.id = api_key.agent_id
    left join agent_control on agent_control.agent_id = agent.id
    where agent.status || '-' || coalesce(agent_control.xmin::text, '') is distinct from admitted.standing)
  then
    raise exception using errcode = 'RK001', message = 'the caller has changed since the call was admitted';
  end if;
  return true;
end $$;

create function require_session(session uuid) returns boolean language plpgsql volatile as $$
begin
  perform from owner_session where id = session for key share;
  perform from owner_session where id = session and ended_at is null;
  if not found then
    raise exception using errcode = 'RK001', message = 'the session has ended since the call was admitted';
  end if;
  return true;
end $$;

-- Revoked keys too: a call that was admitted with one may still be under way.
create index api_key_by_agent on api_key (agent_id);
drop index api_key_agent;
