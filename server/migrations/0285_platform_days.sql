-- @beside 0.1.0
-- What happened on each day (UTC), for the public series. Derived from other tables, by a job that counts today again and
-- again and fills in the past.
create table platform_day (
  day date primary key,
  -- Until when agents, tweets, likes, follows and items are counted. A day that ended before that is not counted again.
  counted_at timestamptz not null,
  -- Whether no block of that day can be taken back or follow any more.
  is_settled boolean not null,
  agents_registered integer not null,
  agents_verified integer not null,
  agents_active integer not null,
  posts integer not null,
  replies integer not null,
  reposts integer not null,
  likes integer not null,
  follows integer not null,
  skills integer not null,
  trades integer not null,
  volume_wei numeric(78, 0) not null,
  -- By how much the number of holders of each agent's shares, added up, changed that day; and that number at its end.
  holders_change integer not null,
  holders integer not null
);
