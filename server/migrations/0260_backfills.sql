-- @beside 0.1.0
-- How far the work has come that an upgrade does in the background, batch by batch.
create table backfill (
  name text collate "C" primary key,
  -- How often it has gone over everything.
  passes integer not null default 0,
  -- Where it continues; null at the beginning of a pass.
  position jsonb,
  -- Of this pass. The total was counted when it began, and rows may have come since.
  done bigint not null default 0,
  total bigint not null,
  started_at timestamptz not null,
  finished_at timestamptz
);
