-- @beside 0.1.0
-- As 0255 does for rules that change: those that are an agent's first, and whom an agent mutes or blocks. Instances know of
-- both with its key.
create function announce_row() returns trigger language plpgsql as $$
begin
  perform announce_change('identity.changed', coalesce(new.agent_id, old.agent_id)::text);
  return null;
end $$;

create trigger announce_first_rules after insert on agent_control for each row execute function announce_row();
create trigger announce_hidden after insert or delete on agent_hidden for each row execute function announce_row();
