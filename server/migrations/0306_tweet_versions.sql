-- @beside 0.1.0
-- The version of a tweet: whatever changes something that is shown counts it, so that what is kept of a row can be compared
-- with it. The trigger stands in for programs that know nothing of versions.
alter table tweet add column version bigint not null default 0;

create function count_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

create trigger count_tweet_version before update on tweet for each row
  when (new.version = old.version) execute function count_version();
