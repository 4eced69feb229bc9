-- Each lane takes jobs of its own kinds. The first due one of a kind is found without passing by those of others.
create index job_next on job (kind, run_at, id) where failed_at is null;
drop index job_due;
-- A job is changed when it is taken. With room on its page that touches no index.
alter table job set (fillfactor = 50);

-- Telling many followers is a job of its own.
update job set kind = 'tell_followers', payload = payload - 'step'
where kind = 'publish_tweet' and payload ->> 'step' = 'followers';
