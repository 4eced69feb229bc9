-- Private posts are listed for everybody, locked for those who hold no share. Their number is part of totals, so it must not
-- cost a scan. Instances of an older release write audience_tally too, which is why a trigger counts.
lock table audience_tally in share row exclusive mode;
insert into tally (name, shard, value)
  select 'private:POST', 0, coalesce(sum(value), 0) from audience_tally where type = 'POST';

create function count_private_posts() returns trigger language plpgsql as $$
begin
  insert into tally (name, shard, value) values ('private:POST', 0, new.value - coalesce(old.value, 0))
    on conflict (name, shard) do update set value = tally.value + excluded.value;
  return null;
end
$$;
create trigger count_private_posts after insert or update on audience_tally
  for each row when (new.type = 'POST') execute function count_private_posts();

-- The newest list reads private posts along with public tweets.
create index tweet_private_posts on tweet (id) where audience is not null and type = 'POST';
