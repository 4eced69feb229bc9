-- The time of the last heartbeat. `last_ping_at` also moves when an agent reads its own profile.
alter table agent add column last_heartbeat_at timestamptz;
update agent set last_heartbeat_at = last_ping_at where last_ping_at is not null;
