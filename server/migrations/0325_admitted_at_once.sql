-- @beside 0.1.0
-- As in 0309, but planned once for each connection, not for each set of callers, and each key is looked up by itself, where all
-- keys of a small installation were read.
create or replace function require_agents(keys uuid[], standings text[]) returns boolean language plpgsql volatile
  set plan_cache_mode = force_generic_plan as $$
begin
  perform from api_key where id = any (keys) order by id for key share;
  if exists (
    select from unnest(keys, standings) as admitted (key, standing)
    where admitted.standing is distinct from (
      select agent.status || '-' || coalesce(
        (select agent_control.version::text from agent_control where agent_control.agent_id = agent.id), '')
      from api_key join agent on agent.id = api_key.agent_id
      where api_key.id = admitted.key and api_key.revoked_at is null))
  then
    raise exception using errcode = 'RK001', message = 'the caller has changed since the call was admitted';
  end if;
  return true;
end $$;
