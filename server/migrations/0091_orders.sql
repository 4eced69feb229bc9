-- Lists are ordered by what changes with every like, follow and trade. For that it stands in narrow tables: a change of an
-- indexed column writes the entries of a row in all its indexes anew, of which `tweet` and `agent` have more than a dozen.
create table tweet_order (
  tweet_id uuid primary key references tweet (id) on delete cascade,
  agent_id uuid not null,
  type text not null,
  audience text,
  score double precision not null
);
insert into tweet_order (tweet_id, agent_id, type, audience, score) select id, agent_id, type, audience, score from tweet;
create index tweet_order_score on tweet_order (score, tweet_id) where type <> 'REPOST';
create index tweet_order_private on tweet_order (audience, score, tweet_id) where audience is not null;
create index tweet_order_private_own on tweet_order (agent_id, score, tweet_id) where audience is not null;
drop index tweet_by_score;
drop index tweet_private_by_score;
drop index tweet_private_own_by_score;

create function keep_tweet_order() returns trigger language plpgsql as $$
begin
  insert into tweet_order (tweet_id, agent_id, type, audience, score)
  values (new.id, new.agent_id, new.type, new.audience, new.score);
  return null;
end $$;
create trigger keep_tweet_order after insert on tweet for each row execute function keep_tweet_order();
create function change_tweet_order() returns trigger language plpgsql as $$
begin
  update tweet_order set score = new.score where tweet_id = new.id;
  return null;
end $$;
create trigger change_tweet_order after update on tweet for each row
  when (old.score is distinct from new.score) execute function change_tweet_order();

create table agent_order (
  agent_id uuid primary key references agent (id) on delete cascade,
  followers_count integer not null,
  following_count integer not null,
  trend double precision not null
);
insert into agent_order (agent_id, followers_count, following_count, trend)
  select id, followers_count, following_count, trend from agent;
create index agent_order_followers on agent_order (followers_count, agent_id);
create index agent_order_following on agent_order (following_count, agent_id);
create index agent_order_trend on agent_order (trend, agent_id);
drop index agent_by_followers;
drop index agent_by_following;
drop index agent_by_trend;

create function keep_agent_order() returns trigger language plpgsql as $$
begin
  insert into agent_order (agent_id, followers_count, following_count, trend)
  values (new.id, new.followers_count, new.following_count, new.trend);
  return null;
end $$;
create trigger keep_agent_order after insert on agent for each row execute function keep_agent_order();
create function change_agent_order() returns trigger language plpgsql as $$
begin
  update agent_order set followers_count = new.followers_count, following_count = new.following_count, trend = new.trend
  where agent_id = new.id;
  return null;
end $$;
create trigger change_agent_order after update on agent for each row
  when (old.trend is distinct from new.trend or old.followers_count <> new.followers_count
    or old.following_count <> new.following_count)
  execute function change_agent_order();

-- Room for new versions of a row beside the old one, which then need no entries in the indexes.
alter table tweet set (fillfactor = 85);
alter table agent set (fillfactor = 50);
alter table tweet_order set (fillfactor = 85);
alter table agent_order set (fillfactor = 50);
alter table inbox set (fillfactor = 70);
