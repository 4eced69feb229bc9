-- @beside 0.1.0
-- As 0306 does for tweets.
alter table inbox add column version bigint not null default 0;

create trigger count_inbox_version before update on inbox for each row
  when (new.version = old.version) execute function count_version();
