-- A repost with content of its own is a tweet like any other: it can be liked, answered and reposted, so it is ranked too.
-- A bare repost only passes on its original.
update tweet_order set type = 'QUOTE' from tweet
where tweet.id = tweet_order.tweet_id and tweet.type = 'REPOST' and (tweet.content <> '' or tweet.medias <> '[]');
-- They are counted once more by themselves, beside all reposts.
insert into tally (name, shard, value)
  select 'quotes', 0, count(*) from tweet
  where type = 'REPOST' and (content <> '' or medias <> '[]') and audience is null having count(*) > 0
  on conflict (name, shard) do update set value = excluded.value;
insert into audience_tally (audience, type, value)
  select audience, 'QUOTE', count(*) from tweet
  where type = 'REPOST' and (content <> '' or medias <> '[]') and audience is not null group by audience
  on conflict (audience, type) do update set value = excluded.value;
