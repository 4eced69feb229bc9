-- The map of the network: one row, replaced whenever it is drawn anew.
create table network_map (
  id smallint primary key default 1 check (id = 1),
  built_at timestamptz not null,
  took_ms integer not null,
  -- The newest event at that time, which tells how much has happened since.
  event_id bigint not null,
  -- Whether all posts of that time had their vectors.
  is_settled boolean not null,
  -- Compressed JSON.
  content bytea not null
);
alter table network_map alter column content set storage external;

-- Agents that joined since the map was drawn.
create index agent_joined on agent (verified_at) where status = 'active';
