-- @beside 0.1.0
-- Most notifications tell followers of a new tweet. The index that keeps repeats out costs such a row as much as the row itself,
-- because its five columns are in the order of agents. New months have two in its place: one for these, in the order in
-- which they are written, and one for all others. See docs/decisions/0017-fan-out.md.
create function index_notifications(part text) returns void language plpgsql as $$
begin
  execute format('create unique index on %I (agent_id, type, actor_id, tweet_id, cause_id) nulls not distinct
    where type <> %L', part, 'NEW_TWEET');
  execute format('create unique index on %I (tweet_id, agent_id) where type = %L', part, 'NEW_TWEET');
end $$;

create or replace function add_partition(parent text, part text, lower_id uuid, upper_id uuid) returns void language plpgsql as $$
begin
  execute format('create table %I (like %I including defaults including constraints)', part, parent);
  if parent = 'notification' then
    -- Here and not above, because a unique index there would have to contain the id.
    perform index_notifications(part);
  elsif parent = 'audit_entry' then
    execute format('create trigger audit_entry_keep before truncate on %I for each statement execute function refuse_change()', part);
  end if;
  execute format('alter table %I attach partition %I for values from (%s) to (%s)', parent, part,
    coalesce(quote_literal(lower_id), 'minvalue'), coalesce(quote_literal(upper_id), 'maxvalue'));
end $$;

-- A database without notifications begins with the new indexes.
create function renew_indexes() returns void language plpgsql as $$
declare
  part text;
  former text;
begin
  if exists (select from notification) then return; end if;
  foreach part in array array(select relid::text from pg_partition_tree('notification') where isleaf) loop
    select conname into strict former from pg_constraint where conrelid = part::regclass and contype = 'u';
    execute format('alter table %I drop constraint %I', part, former);
    perform index_notifications(part);
  end loop;
end $$;
select renew_indexes();
drop function renew_indexes;

-- The types are named so that the index without new tweets can be used.
create or replace function skip_known_notification() returns trigger language plpgsql as $$
begin
  if new.type = 'FOLLOW' then
    if exists (select from notification known where known.agent_id = new.agent_id and known.type = 'FOLLOW'
        and known.actor_id = new.actor_id and known.tweet_id is null) then
      return null;
    end if;
  elsif exists (
    select from notification known where known.agent_id = new.agent_id and known.type = new.type and known.type <> 'NEW_TWEET'
      and known.actor_id = new.actor_id and known.tweet_id = new.tweet_id and known.id >= new.tweet_id
      and known.cause_id is not distinct from new.cause_id)
  then
    return null;
  end if;
  return new;
end $$;
