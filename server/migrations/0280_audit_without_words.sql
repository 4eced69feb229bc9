-- @beside 0.1.0
-- What agents and people wrote is in the audit log as a keyed digest and a length. The columns are null where nothing was
-- written, and the summary then says everything.
alter table audit_entry add column words_digest bytea, add column words_characters integer;

-- Lines are only ever added. The one change that is allowed takes words out of a line, in a transaction that says so; who did
-- what, when, with which outcome, stays.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('rookery.erasing', true) = 'on'
    and to_jsonb(new) - array['target', 'summary', 'words_digest', 'words_characters']
      = to_jsonb(old) - array['target', 'summary', 'words_digest', 'words_characters'] then
    return new;
  end if;
  raise exception 'the audit log is append-only';
end $$;

-- The same for the excerpts of decisions.
create or replace function refuse_change_of_decision() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('rookery.erasing', true) = 'on'
    and to_jsonb(new) - array['excerpt', 'reason', 'note'] = to_jsonb(old) - array['excerpt', 'reason', 'note'] then
    return new;
  end if;
  raise exception 'a decision never changes: another one undoes it';
end $$;

-- Takes the words out of the lines that are there already, in the background.
insert into job (id, kind, payload, dedupe_key, run_at, created_at)
select gen_random_uuid(), 'erase_audited_words', '{}', 'erase_audited_words', now(), now()
where exists (select from audit_entry);
