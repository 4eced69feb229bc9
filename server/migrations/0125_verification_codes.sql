-- Finds an agent by its verification code. The code itself is not stored, only a keyed hash of it. Two agents can have
-- the same code, so the index is not unique. The server adds the rows of agents registered before this migration.
create table verification_code (
  agent_id uuid primary key references agent (id) on delete cascade,
  code_hash bytea not null
);
create index verification_code_hash on verification_code (code_hash);
