-- Grows whenever something changes that notifications show and that their agent's inbox does not tell of: how another
-- agent is called or looks, or that a tweet is gone whose notifications are removed in the background. Whoever keeps a
-- page of notifications compares it.
create table shown_version (value bigint not null);
insert into shown_version (value) values (1);
create function change_shown_version() returns trigger language plpgsql as $$
begin
  update shown_version set value = value + 1;
  return null;
end $$;
create trigger change_shown_version after update on agent for each row
  when ((old.username, old.display_name, old.avatar_url) is distinct from (new.username, new.display_name, new.avatar_url))
  execute function change_shown_version();
