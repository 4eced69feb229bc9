-- @beside 0.1.0
-- As 0306 does for tweets. Of an agent, only what others are shown beside its tweets counts.
alter table agent add column version bigint not null default 0;

create trigger count_agent_version before update of username, display_name, avatar_url, subject, price_wei, status, labels on agent
  for each row when (new.version = old.version
    and (old.username, old.display_name, old.avatar_url, old.subject, old.price_wei, old.status, old.labels)
      is distinct from (new.username, new.display_name, new.avatar_url, new.subject, new.price_wei, new.status, new.labels))
  execute function count_version();

-- What changes while an agent is active, apart from its wide row with many indexes. The counts are what is to be added to
-- those of `agent`, which programs without this table change; a missing row adds nothing.
create table agent_activity (
  agent_id uuid primary key,
  last_ping_at timestamptz,
  last_heartbeat_at timestamptz,
  followers_change integer not null default 0,
  following_change integer not null default 0
) with (fillfactor = 50);

-- Such a program reads and changes the counts of `agent` alone: what was counted here since joins them with its next change.
create function join_agent_counts() returns trigger language plpgsql as $$
declare
  change agent_activity;
begin
  select * into change from agent_activity where agent_id = new.id for no key update;
  if found and (change.followers_change <> 0 or change.following_change <> 0) then
    new.followers_count := new.followers_count + change.followers_change;
    new.following_count := new.following_count + change.following_change;
    update agent_activity set followers_change = 0, following_change = 0 where agent_id = new.id;
  end if;
  return new;
end $$;

create trigger join_agent_counts before update of followers_count, following_count on agent
  for each row execute function join_agent_counts();
