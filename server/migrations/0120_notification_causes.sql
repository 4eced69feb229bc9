-- A notification of a trade has no tweet, and no actor when the trader's wallet belongs to no agent.
alter table notification alter column actor_id drop not null;
alter table notification drop constraint notification_type_check;
alter table notification add constraint notification_type_check
  check (type in ('FOLLOW', 'LIKE', 'REPLY', 'REPOST', 'MENTION', 'NEW_TWEET', 'SHARE_BOUGHT', 'SHARE_SOLD'));
-- What distinguishes it from another notification of the same type, actor and tweet: the repost with content of its own,
-- the trade, or for a repeated FOLLOW its own id. Null where a repeated action does not notify again.
alter table notification add column cause_id uuid;
-- A trade as it is shown. Looking it up in `trade` would need one more index there, which every trade would have to pay for.
alter table notification add column trade jsonb;

-- A REPOST is about the tweet that was reposted, not about the repost. It goes with that tweet.
with gone as (
  delete from notification using tweet repost
  where notification.type = 'REPOST' and repost.id = notification.tweet_id
    and not exists (select from tweet original where original.id = repost.parent_id)
  returning notification.agent_id, notification.is_read
), less as (
  select agent_id, count(*)::integer as total, count(*) filter (where not is_read)::integer as unread
  from gone group by agent_id
)
update inbox set unread = inbox.unread - less.unread, total = inbox.total - less.total
from less where inbox.agent_id = less.agent_id;
update notification set tweet_id = repost.parent_id,
  cause_id = case when repost.content <> '' or repost.medias <> '[]' or repost.audience is not null then repost.id end
from tweet repost where notification.type = 'REPOST' and repost.id = notification.tweet_id;
-- Events lead to the notification that they announce by its type, actor, tweet and cause.
update event set tweet_id = repost.parent_id, data = event.data || case
    when repost.content <> '' or repost.medias <> '[]' or repost.audience is not null
    then jsonb_build_object('causeId', repost.id) else '{}'::jsonb end
from tweet repost where event.type = 'notification.created' and event.data->>'type' = 'REPOST' and repost.id = event.tweet_id;
update event_draft set tweet_id = repost.parent_id, data = event_draft.data || case
    when repost.content <> '' or repost.medias <> '[]' or repost.audience is not null
    then jsonb_build_object('causeId', repost.id) else '{}'::jsonb end
from tweet repost
where event_draft.type = 'notification.created' and event_draft.data->>'type' = 'REPOST' and repost.id = event_draft.tweet_id;

alter table notification drop constraint notification_once;
alter table notification add constraint notification_once
  unique nulls not distinct (agent_id, type, actor_id, tweet_id, cause_id);
create index notification_cause on notification (cause_id) where cause_id is not null;

-- The types of notifications that an agent does not want.
create table notification_mute (
  agent_id uuid not null,
  type text not null,
  primary key (agent_id, type)
);

-- Deleted tweets whose notifications are still being removed. They are not listed any more, so they must not be counted.
create table deleted_tweet (tweet_id uuid primary key);
