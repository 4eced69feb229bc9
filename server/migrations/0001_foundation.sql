-- What the house itself needs: settings, instances, jobs, idempotent answers.

create table setting (
  name text primary key,
  value text not null
);

-- Processes that may hold cached identities; see peers/.
create table instance (
  id uuid primary key,
  seen_at timestamptz not null
);

create table job (
  id uuid primary key,
  kind text not null,
  payload jsonb not null,
  -- Two jobs with one key never wait at the same time.
  dedupe_key text,
  run_at timestamptz not null,
  attempts integer not null default 0,
  -- Who has it in hand, and until when that is believed without news.
  lock_id uuid,
  locked_until timestamptz,
  failed_at timestamptz,
  last_error text,
  created_at timestamptz not null
);
create unique index job_dedupe on job (dedupe_key) where failed_at is null;
create index job_due on job (run_at, id) where failed_at is null;

create table idempotent_answer (
  scope text not null,
  key_hash bytea not null,
  request_hash bytea not null,
  -- Null while the first request runs.
  status integer,
  body bytea,
  started_at timestamptz not null,
  primary key (scope, key_hash)
);
create index idempotent_answer_started on idempotent_answer (started_at);
