-- @beside 0.1.0
-- Adds a partition: a table is made and attached, which locks out nobody. A missing bound is open.
create function add_partition(parent text, part text, lower_id uuid, upper_id uuid) returns void language plpgsql as $$
begin
  execute format('create table %I (like %I including defaults including constraints)', part, parent);
  if parent = 'notification' then
    -- Here and not above, because a unique constraint there would have to contain the id.
    execute format('alter table %I add unique nulls not distinct (agent_id, type, actor_id, tweet_id, cause_id)', part);
  elsif parent = 'audit_entry' then
    execute format('create trigger audit_entry_keep before truncate on %I for each statement execute function refuse_change()', part);
  end if;
  execute format('alter table %I attach partition %I for values from (%s) to (%s)', parent, part,
    coalesce(quote_literal(lower_id), 'minvalue'), coalesce(quote_literal(upper_id), 'maxvalue'));
end $$;

-- Gives the name of a table to a new one of partitions.
create function partition_table(parent text, first text) returns void language plpgsql as $$
declare
  bound_name text := parent || '_bound';
  name text;
begin
  execute format('alter table %I rename to %I', parent, first);
  -- The new table has the names: they are those that migrations and programs know.
  for name in select relname from pg_class join pg_index on indexrelid = oid where indrelid = first::regclass loop
    execute format('alter index %I rename to %I', name, first || substr(name, length(parent) + 1));
  end loop;
  execute format('create table %I (like %I including defaults including constraints) partition by range (id)', parent, first);
  execute format('alter table %I drop constraint %I', parent, bound_name);
end $$;

-- Makes the former table the first partition, and adds one for what comes after it.
create function attach_first(parent text, first text) returns void language plpgsql as $$
declare
  bound uuid;
begin
  select substring(pg_get_constraintdef(oid) from '[0-9a-f]{8}-[0-9a-f-]{27}')::uuid into bound
  from pg_constraint where conrelid = first::regclass and conname = parent || '_bound';
  execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', parent, first, bound);
  perform add_partition(parent, parent || '_rest', bound, null);
end $$;

-- `notification_once` is the key now, for instances of 0.1.0 that still run and name it. Repeats are dropped in
-- each partition.
select partition_table('notification', 'notification_before');
alter table notification add constraint notification_once primary key (agent_id, id);
create index notification_cause on notification (cause_id) where cause_id is not null;
create index notification_private on notification (agent_id, audience) where audience is not null;
create index notification_tweet on notification (tweet_id) where tweet_id is not null;
create index notification_unread on notification (agent_id, id) where not is_read;

select attach_first('notification', 'notification_before');

-- A like or repost that was withdrawn and done again notifies nobody twice, nor in another month. Neither does a follow at an
-- instance of 0.1.0 that still runs: later versions give one that notifies again a cause.
create function skip_known_notification() returns trigger language plpgsql as $$
begin
  if new.type = 'FOLLOW' then
    if exists (select from notification known where known.agent_id = new.agent_id and known.type = 'FOLLOW'
        and known.actor_id = new.actor_id and known.tweet_id is null) then
      return null;
    end if;
  elsif exists (
    select from notification known where known.agent_id = new.agent_id and known.type = new.type
      and known.actor_id = new.actor_id and known.tweet_id = new.tweet_id and known.id >= new.tweet_id
      and known.cause_id is not distinct from new.cause_id)
  then
    return null;
  end if;
  return new;
end $$;
create trigger notification_known before insert on notification
  for each row when (new.type in ('LIKE', 'REPOST') or new.type = 'FOLLOW' and new.cause_id is null)
  execute function skip_known_notification();
