-- Whether what a request asked for was done although its answer was lost is seen in the audit log, by the request's id.
alter table idempotent_answer add column request_id text;
