-- How many notifications an agent has, changed in the transaction that changes them.
alter table inbox add column total integer not null default 0;
insert into inbox (agent_id, total)
  select agent_id, count(*) from notification group by agent_id
  on conflict (agent_id) do update set total = excluded.total;

-- Whose holders may see the tweet that a notification is about. Those that may be hidden are few, and counted by an index.
alter table notification add column audience text;
update notification set audience = tweet.audience from tweet
  where tweet.id = notification.tweet_id and tweet.audience is not null;
create index notification_private on notification (agent_id, audience) where audience is not null;

-- What an agent did with tweets is asked for every page it reads.
create index tweet_answers on tweet (parent_id, agent_id) where parent_id is not null;

-- The private tweets that a viewer may see are read by audience and by author, newest or highest score first.
create index tweet_private_own on tweet (agent_id, id) where audience is not null;
create index tweet_private_by_score on tweet (audience, score, id) where audience is not null;
create index tweet_private_own_by_score on tweet (agent_id, score, id) where audience is not null;

-- How many private tweets of each type an audience has: totals of feeds must not cost a scan.
create table audience_tally (
  audience text not null,
  type text not null,
  value integer not null,
  primary key (audience, type)
);
insert into audience_tally (audience, type, value)
  select audience, type, count(*) from tweet where audience is not null group by audience, type;
