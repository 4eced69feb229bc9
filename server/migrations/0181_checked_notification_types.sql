-- Reads the whole table, but in a transaction of its own, which does not keep others from writing.
alter table notification validate constraint notification_type_check;
