-- @beside 0.1.0
-- As 0306 does for tweets. Rules begin with a version that no earlier rules of the same agent had, since a row may be
-- deleted and made again.
alter table agent_control add column version bigint not null default 0;
alter table agent_control alter column version set default (extract(epoch from clock_timestamp()) * 1000000)::bigint;

create trigger count_rules_version before update on agent_control for each row
  when (new.version = old.version) execute function count_version();

-- `standings` as in agent-identities.ts: the agent's status, and the version of its rules.
create or replace function require_agents(keys uuid[], standings text[]) returns boolean language plpgsql volatile as $$
begin
  perform from api_key where id = any (keys) order by id for key share;
  if exists (
    select from unnest(keys, standings) as admitted (key, standing)
    left join api_key on api_key.id = admitted.key and api_key.revoked_at is null
    left join agent on agent.id = api_key.agent_id
    left join agent_control on agent_control.agent_id = agent.id
    where agent.status || '-' || coalesce(agent_control.version::text, '') is distinct from admitted.standing)
  then
    raise exception using errcode = 'RK001', message = 'the caller has changed since the call was admitted';
  end if;
  return true;
end $$;
