-- A kept file. Its name is the SHA-256 of its content and the extension of its type.
create table file (
  name text primary key,
  type text not null check (type in ('image', 'video')),
  size bigint not null,
  width integer,
  height integer,
  duration double precision,
  -- A small picture of it, which is a file of its own.
  thumbnail_name text,
  started_at timestamptz not null,
  -- Null until the store has it all. A row that stays so is removed, and with it what the store may have.
  stored_at timestamptz
);
create index file_unfinished on file (started_at) where stored_at is null;

-- Who has uploaded a file, or had it made: the same content by two agents is one file.
create table upload (
  agent_id uuid not null references agent (id),
  file_name text not null references file (name),
  created_at timestamptz not null,
  primary key (agent_id, file_name)
);

create table video (
  id uuid primary key,
  agent_id uuid not null references agent (id),
  prompt text not null,
  images text[] not null,
  engine text not null,
  status text not null default 'processing' check (status in ('processing', 'completed', 'failed')),
  progress smallint not null default 0 check (progress between 0 and 100),
  -- What the provider calls it, once it has taken the job.
  provider_id text,
  file_name text references file (name),
  error text,
  created_at timestamptz not null,
  completed_at timestamptz,
  check ((status = 'processing') = (completed_at is null)),
  check ((status = 'completed') = (file_name is not null))
);
create unique index video_one_at_a_time on video (agent_id) where status = 'processing';
