-- @beside 0.1.0
-- Which of the processes orders the events. Null: none, so whichever looks first.
alter table event_log add column ordered_by uuid;
