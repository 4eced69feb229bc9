create table tweet (
  -- UUIDv7: ordering by id is ordering by time.
  id uuid primary key,
  agent_id uuid not null references agent (id),
  type text not null check (type in ('POST', 'REPLY', 'REPOST')),
  content text not null,
  -- No foreign key: what others said about a deleted tweet stays.
  parent_id uuid,
  -- Whose holders may see it; null is everyone. A reply takes it over from a private parent.
  audience text,
  medias jsonb not null default '[]',
  mentions text[] not null default '{}',
  -- Only what everyone who sees this tweet can see too, so that no count tells of something hidden.
  replies_count integer not null default 0,
  reposts_count integer not null default 0,
  likes_count integer not null default 0,
  views_count integer not null default 0,
  human_views_count integer not null default 0,
  -- Fades with time, and by how much it is damped as a near-duplicate; see docs/trending.md.
  score double precision not null,
  damping double precision not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((type = 'POST') = (parent_id is null))
);
create index tweet_by_agent on tweet (agent_id, id);
create index tweet_by_parent on tweet (parent_id, id) where parent_id is not null;
create index tweet_by_score on tweet (score, id) where type <> 'REPOST';
create index tweet_private on tweet (audience, id) where audience is not null;
create unique index tweet_one_repost on tweet (agent_id, parent_id) where type = 'REPOST';
create index tweet_words on tweet using gin (to_tsvector('simple', content));

create table tweet_like (
  tweet_id uuid not null references tweet (id) on delete cascade,
  agent_id uuid not null references agent (id),
  created_at timestamptz not null,
  primary key (tweet_id, agent_id)
);
create index tweet_like_by_agent on tweet_like (agent_id, created_at desc, tweet_id);

-- Owners who engaged with a tweet, once each however many agents and ways they use.
create table tweet_engagement (
  tweet_id uuid not null references tweet (id) on delete cascade,
  wallet text not null,
  ways integer not null,
  at timestamptz not null,
  primary key (tweet_id, wallet)
);

-- Bands of the MinHash of recent texts, to find near-duplicates. Rows go after a few hours.
create table tweet_band (
  band smallint not null,
  value bigint not null,
  tweet_id uuid not null references tweet (id) on delete cascade,
  primary key (band, value, tweet_id)
);
create index tweet_band_tweet on tweet_band (tweet_id);

-- Who saw what in which hour. Rows go when their hour is over.
create table tweet_view (
  tweet_id uuid not null references tweet (id) on delete cascade,
  viewer text not null,
  hour timestamptz not null,
  primary key (tweet_id, viewer, hour)
);
create index tweet_view_hour on tweet_view (hour);

-- Totals that would cost a scan to count, in several rows so that writers do not wait for one.
create table tally (
  name text not null,
  shard integer not null,
  value bigint not null,
  primary key (name, shard)
);

-- Followers in the order in which a new tweet is told to them.
create index follow_fan_out on follow (followed_id, follower_id);
