-- A decision about a file concerns everybody who uploaded the same bytes: finds them, and lets each appeal once.
create index upload_by_file on upload (file_name, created_at, agent_id);
alter table appeal drop constraint appeal_once, add constraint appeal_once unique (decision_id, agent_id);
