-- @beside 0.1.0
-- @concurrently
-- Reads both tables, but keeps nobody from reading or writing. A partition must not have checks that are not valid.
alter table notification validate constraint notification_bound;
alter table notification validate constraint notification_type_check;
alter table audit_entry validate constraint audit_entry_bound;
