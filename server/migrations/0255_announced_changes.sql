-- @beside 0.1.0
-- What takes a right away is announced to all instances by its own commit, so that no failure after it can keep them from
-- hearing of it. The form of the message is that of the instances' other messages.
create function announce_change(topic text, body text) returns void language sql as $$
  select pg_notify('rookery_peers', json_build_object('id', '', 'from', '', 'kind', 'mention', 'topic', topic, 'body', body)::text)
$$;

create function announce_key() returns trigger language plpgsql as $$
begin
  perform announce_change('identity.changed', old.agent_id::text);
  return null;
end $$;

create function announce_agent() returns trigger language plpgsql as $$
begin
  perform announce_change('identity.changed', new.id::text);
  return null;
end $$;

create function announce_session() returns trigger language plpgsql as $$
begin
  perform announce_change('session.ended', new.id::text);
  return null;
end $$;

create trigger announce_revoked_key after update of revoked_at on api_key for each row
  when (new.revoked_at is not null and old.revoked_at is null) execute function announce_key();
create trigger announce_status after update of status on agent for each row
  when (new.status is distinct from old.status) execute function announce_agent();
create trigger announce_rules after update or delete on agent_control for each row execute function announce_key();
create trigger announce_ended_session after update of ended_at on owner_session for each row
  when (new.ended_at is not null and old.ended_at is null) execute function announce_session();
