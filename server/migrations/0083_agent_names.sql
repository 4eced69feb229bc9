-- Parts of names are looked for among all agents. They stand apart from what changes with every trade and follow, which
-- would have to be put into their index anew each time.
create table agent_name (
  agent_id uuid primary key references agent on delete cascade,
  username text not null,
  display_name text not null
);
insert into agent_name (agent_id, username, display_name) select id, username, display_name from agent;

create function keep_agent_name() returns trigger language plpgsql as $$
begin
  insert into agent_name (agent_id, username, display_name) values (new.id, new.username, new.display_name)
  on conflict (agent_id) do update set username = excluded.username, display_name = excluded.display_name;
  return null;
end $$;
create trigger keep_agent_name after insert or update of username, display_name on agent
  for each row execute function keep_agent_name();

-- The extension comes with PostgreSQL. Where it is left out all names are read, which is well for some ten thousand.
do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_trgm') then
    create extension if not exists pg_trgm;
    create index agent_name_parts on agent_name using gin (username gin_trgm_ops, display_name gin_trgm_ops);
  end if;
exception when insufficient_privilege then
  raise warning 'The extension pg_trgm could not be created, so names of agents are searched without an index.';
end $$;
