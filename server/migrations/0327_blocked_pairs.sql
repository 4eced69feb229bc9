-- @beside 0.1.0
-- The places, from one, of the pairs that a block parts. Volatile, and so with a snapshot of its own, as `is_blocked_now` has, which
-- was planned anew in each statement and asked once for each pair.
create function blocked_now(agents uuid[], others uuid[]) returns integer[] language plpgsql volatile as $$
begin
  return array(
    select place::integer from unnest(agents, others) with ordinality as pair (agent, other, place)
    where exists (
      select from agent_hidden where agent_id = agent and other_id = other and reason in ('blocked', 'blocked_by')));
end $$;
drop function is_blocked_now;
