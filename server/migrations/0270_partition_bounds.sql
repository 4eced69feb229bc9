-- @beside 0.1.0
-- Notifications and the audit log become tables of partitions, one for each month, so that what is old can be dropped; see
-- docs/decisions/0016-partitions.md. Ids are UUIDv7, so a range of them is a range of time. What there is stays where it is
-- and becomes the first partition. Its bound is checked before, by a constraint that is not valid yet: that needs no scan.

-- The smallest id of a moment.
create function id_at(moment timestamptz) returns uuid language sql immutable strict as $$
  select (substr(digits, 1, 8) || '-' || substr(digits, 9) || '-7000-8000-000000000000')::uuid
  from lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0') as digits
$$;

-- The moment of an id.
create function moment_of(id uuid) returns timestamptz language sql immutable strict as $$
  select to_timestamp(('x' || replace(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
$$;

-- A month ahead or a little more: rows that are written until the tables are partitioned stay within the bound. Both tables
-- are read, which takes as long as they are large, before either is locked.
do $$
declare
  names text[] := array['notification', 'audit_entry'];
  name text;
  newest uuid;
  newest_of uuid[];
begin
  foreach name in array names loop
    execute format('select id from %I order by id desc limit 1', name) into newest;
    newest_of := newest_of || newest;
  end loop;
  for i in 1 .. cardinality(names) loop
    execute format('alter table %I add constraint %I check (id < %L::uuid) not valid', names[i], names[i] || '_bound',
      id_at((date_trunc('month', greatest(now(), moment_of(newest_of[i])) at time zone 'UTC' + interval '7 days')
        + interval '1 month') at time zone 'UTC'));
  end loop;
end $$;
