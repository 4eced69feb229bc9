-- @beside 0.1.0
select partition_table('audit_entry', 'audit_entry_before');
alter table audit_entry add constraint audit_entry_pkey primary key (agent_id, id);
create index audit_entry_refused on audit_entry (agent_id, created_at) where outcome = 'refused';
drop trigger audit_entry_append_only on audit_entry_before;
create trigger audit_entry_append_only before update or delete on audit_entry
  for each row execute function refuse_change();
create trigger audit_entry_keep before truncate on audit_entry
  for each statement execute function refuse_change();
select attach_first('audit_entry', 'audit_entry_before');
drop function partition_table, attach_first, id_at, moment_of;
