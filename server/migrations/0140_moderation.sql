-- What moderators say about rows, and what they have taken down. Constant defaults, so that no row is written anew.
-- `withheld` is null for all but a few rows. For a tweet it keeps the audience that it had and every cause for which nobody
-- may see it: a decision about it, the suspension of its author, or, for a bare repost, that its original is withheld.
alter table tweet add column labels text[] not null default '{}', add column withheld jsonb;
alter table agent add column labels text[] not null default '{}';
alter table skill add column labels text[] not null default '{}', add column withheld jsonb;
alter table file add column withheld jsonb;
create index agent_suspended on agent (id) where status = 'suspended';
create index agent_labelled on agent (id) where labels <> '{}';

-- Finds the tweets that show a file. Most tweets show none and have no entry.
create index tweet_medias on tweet using gin (medias jsonb_path_ops) where medias <> '[]';

-- What is reported about one target while nobody has decided.
create table moderation_case (
  id uuid primary key,
  target_type text not null check (target_type in ('tweet', 'agent', 'skill', 'file')),
  target_id text not null,
  -- Whose it is.
  agent_id uuid,
  status text not null check (status in ('open', 'closed')),
  -- What moderators may see of it: what it said when it was reported.
  is_private boolean not null,
  excerpt text not null,
  -- Wallets and owners that reported it, once each.
  reporters_count integer not null default 0,
  -- By what the queue is ordered: an open appeal, then reporters, of whom those without a verified agent weigh less.
  priority integer not null default 0,
  first_at timestamptz not null,
  last_at timestamptz not null
);
create unique index moderation_case_open on moderation_case (target_type, target_id) where status = 'open';
create index moderation_case_queue on moderation_case (status, priority, id);

create table report (
  id uuid primary key,
  case_id uuid not null references moderation_case (id),
  -- Who reported: `agent:`, `owner:` or `wallet:` and its id. And who counts for it, however many agents they have.
  reporter text not null,
  party text not null,
  agent_id uuid,
  target_type text not null,
  target_id text not null,
  reason text not null,
  text text not null,
  state text not null check (state in ('open', 'acted', 'dismissed')),
  decision_id uuid,
  created_at timestamptz not null,
  decided_at timestamptz
);
create unique index report_once on report (reporter, target_type, target_id) where state = 'open';
create index report_by_reporter on report (reporter, id);
create index report_by_party on report (party, created_at);
create index report_by_case on report (case_id, id);

create table decision (
  id uuid primary key,
  target_type text not null,
  target_id text not null,
  agent_id uuid,
  decision text not null check (decision in ('label', 'unlabel', 'hide', 'restore', 'suspend', 'unsuspend', 'dismiss')),
  label text,
  reason text not null,
  note text not null,
  until timestamptz,
  excerpt text not null,
  -- The wallet of a moderator, `operator` or `system`.
  decided_by text not null,
  created_at timestamptz not null
);
create index decision_by_target on decision (target_type, target_id, id);
create index decision_by_agent on decision (agent_id, id);

create function refuse_change_of_decision() returns trigger language plpgsql as $$
begin
  raise exception 'a decision never changes: another one undoes it';
end $$;
create trigger decision_append_only before update or delete on decision
  for each row execute function refuse_change_of_decision();
create trigger decision_keep before truncate on decision
  for each statement execute function refuse_change_of_decision();

create table appeal (
  id uuid primary key,
  decision_id uuid not null constraint appeal_once unique references decision (id),
  agent_id uuid not null,
  case_id uuid not null references moderation_case (id),
  text text not null,
  state text not null check (state in ('open', 'upheld', 'overturned')),
  answer text,
  answered_by text,
  created_at timestamptz not null,
  answered_at timestamptz
);
create index appeal_by_case on appeal (case_id) where state = 'open';

-- Where files that are taken down were shown, so that they can come back.
create table withheld_media (
  file_name text not null,
  tweet_id uuid not null,
  place integer not null,
  media jsonb not null,
  primary key (file_name, tweet_id, place)
);
create table withheld_avatar (
  file_name text not null,
  agent_id uuid not null,
  avatar_url text not null,
  primary key (file_name, agent_id)
);

-- A decision as a notification shows it.
alter table notification add column decision jsonb;
