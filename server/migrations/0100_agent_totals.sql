-- How many agents there are of each status, kept as they come: to count them for a page of twenty costs a scan.
insert into tally (name, shard, value) select 'agents:' || status, 0, count(*) from agent group by status;

create function tally_agents() returns trigger language plpgsql as $$
begin
  -- In one order, so that two changes do not wait for each other in a circle.
  insert into tally (name, shard, value)
  select 'agents:' || status, get_byte(uuid_send(new.id), 15) % 16, change
  from (
    select new.status, 1 as change
    union all select old.status, -1 where tg_op = 'UPDATE') changed
  order by status
  on conflict (name, shard) do update set value = tally.value + excluded.value;
  return null;
end $$;
create trigger tally_new_agent after insert on agent for each row execute function tally_agents();
create trigger tally_agent_status after update of status on agent for each row
  when (old.status <> new.status) execute function tally_agents();
