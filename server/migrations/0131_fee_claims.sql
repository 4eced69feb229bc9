-- What agents' owners collected of the fees that trades of their shares earned. An existing database has the claims from
-- the blocks that are read after this migration.
create table fee_claim (
  transaction_hash bytea not null,
  log_index integer not null,
  -- block number * 1,000,000 + log index: the order in which things happened.
  position bigint not null unique,
  -- Made from the transaction, so it stays when a reorganisation moves that to another block.
  id uuid not null,
  at timestamptz not null,
  subject text collate "C" not null,
  receiver text collate "C" not null,
  amount_wei numeric(78, 0) not null,
  primary key (transaction_hash, log_index)
);
create index fee_claim_by_subject on fee_claim (subject, position);
