-- How many tweets were ever posted, private ones included; deleting one does not change it. Of tweets deleted before this
-- migration nothing is known, so the count begins with those that exist.
insert into tally (name, shard, value)
select 'posted', 0, counted.total
from (select (select coalesce(sum(value), 0) from tally where name like 'tweets:%')
  + (select coalesce(sum(value), 0) from audience_tally where type <> 'QUOTE') as total) counted
where counted.total > 0;
