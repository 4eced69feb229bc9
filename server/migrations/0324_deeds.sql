-- @beside 0.1.0
-- What agents have just done and what follows from it later: one row in the transaction of a like, a follow or a tweet, which is
-- its line in the audit log, the event that tells of it, and the cause of a notification, of a score and of a trend. A moment
-- later the orderer takes such rows by the hundred, writes all that, and deletes them. See docs/decisions/0020-deeds.md.
create table deed (
  -- From the sequence of drafts, so that events of both kinds have one order.
  id bigint primary key default nextval('event_draft_id_seq'),
  at timestamptz not null,
  agent_id uuid not null,
  -- The line in the audit log.
  audit_id uuid,
  actor text,
  action text,
  target text,
  summary text,
  words_digest bytea,
  words_characters integer,
  request_id text,
  -- The tweet that an owner engages with in one way more or less.
  engaged_id uuid,
  wallet text,
  ways smallint not null default 0,
  -- The author of that tweet, or the agent that is followed.
  other_id uuid,
  -- What the other agent is told of, and about which tweet.
  notice text,
  notification_id uuid,
  about_id uuid,
  cause_id uuid,
  -- What a follow changes: the number of follows, the rank of the other agent, its trend.
  follows smallint not null default 0,
  ranked smallint not null default 0,
  weight double precision,
  -- The event, if it tells of one besides the notification, and the tweet that it tells of.
  event text,
  tweet_id uuid,
  audience text
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- The first rows that wait, and where they are, by the index: as many have just been deleted, and a plan that is made while there
-- are few would read them all, each time.
create function first_deeds(most integer) returns table (id bigint, place tid)
  language plpgsql stable rows 10 set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return query select deed.id, deed.ctid from deed order by deed.id limit most;
end $$;
create function first_drafts(most integer) returns table (id bigint, place tid)
  language plpgsql stable rows 10 set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return query select event_draft.id, event_draft.ctid from event_draft order by event_draft.id limit most;
end $$;
