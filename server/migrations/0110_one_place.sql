-- What lists are ordered by stands in narrow tables alone. To keep it in `tweet` and `agent` too meant a second version of
-- a wide row and a call of a trigger for every row that a like or a follow touched.
drop trigger keep_tweet_order on tweet;
drop trigger change_tweet_order on tweet;
drop function keep_tweet_order();
drop function change_tweet_order();
alter table tweet_order add column damping double precision not null default 0;
update tweet_order set damping = tweet.damping from tweet where tweet.id = tweet_id and tweet.damping <> 0;
alter table tweet drop column score, drop column damping;

create table agent_trend (agent_id uuid primary key, trend double precision not null) with (fillfactor = 50);
insert into agent_trend (agent_id, trend) select agent_id, trend from agent_order;
create index agent_trend_order on agent_trend (trend, agent_id);
drop trigger change_agent_order on agent;
drop function change_agent_order();
alter table agent_order drop column trend;
alter table agent drop column trend;
create or replace function keep_agent_order() returns trigger language plpgsql as $$
begin
  insert into agent_order (agent_id, followers_count, following_count)
  values (new.id, new.followers_count, new.following_count);
  insert into agent_trend (agent_id, trend) values (new.id, '-infinity');
  return null;
end $$;

-- Whoever writes these rows has locked the tweet or the agents that they name, and agents are never removed: to check the
-- keys for each row would find nothing. With a tweet, its rows go all at once.
alter table tweet_like drop constraint tweet_like_tweet_id_fkey, drop constraint tweet_like_agent_id_fkey;
alter table tweet_engagement drop constraint tweet_engagement_tweet_id_fkey;
alter table tweet_order drop constraint tweet_order_tweet_id_fkey;
alter table follow drop constraint follow_follower_id_fkey, drop constraint follow_followed_id_fkey;
alter table audit_entry drop constraint audit_entry_agent_id_fkey;
create function forget_tweets() returns trigger language plpgsql as $$
begin
  delete from tweet_like using gone where tweet_like.tweet_id = gone.id;
  delete from tweet_engagement using gone where tweet_engagement.tweet_id = gone.id;
  delete from tweet_order using gone where tweet_order.tweet_id = gone.id;
  return null;
end $$;
create trigger forget_tweets after delete on tweet referencing old table as gone
  for each statement execute function forget_tweets();

-- Nobody asks for a notification or a line of the audit log without its agent: one index serves as key and as order.
alter table notification drop constraint notification_pkey;
drop index notification_inbox;
alter table notification add constraint notification_pkey primary key (agent_id, id);
alter table audit_entry drop constraint audit_entry_pkey;
drop index audit_entry_by_agent;
alter table audit_entry add constraint audit_entry_pkey primary key (agent_id, id);
