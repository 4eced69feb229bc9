-- What the share contract said, and how far it was read. Supplies, holdings, volumes and traders follow from the rows of
-- trade, share_transfer and share_launch alone.

-- How far the chain was read. One row.
create table chain_cursor (
  id boolean primary key default true check (id),
  chain_id bigint not null,
  contract text not null check (contract = lower(contract)),
  -- The newest applied block; its hash and time are null while nothing was read.
  number bigint not null,
  hash text,
  at timestamptz,
  -- Blocks up to these cannot easily, or not at all, be undone by the chain.
  confirmed_number bigint not null,
  final_number bigint not null,
  -- The newest block that was seen, and when the chain was last asked.
  head_number bigint not null,
  checked_at timestamptz not null,
  -- The one process that follows the chain. Who finds another name here has lost its turn.
  leased_by uuid,
  leased_until timestamptz
);

-- Hashes of the newest applied blocks, by which a reorganisation is traced back.
create table chain_block (
  number bigint primary key,
  hash text not null,
  at timestamptz not null
);

-- Addresses of events compare byte by byte: by the rules of a language, finding their place in an index takes several
-- times as long. A join with a table that does otherwise says `collate "default"`.
create table trade (
  transaction_hash bytea not null,
  log_index integer not null,
  -- block number * 1,000,000 + log index: the order in which things happened.
  position bigint not null unique,
  -- Made from the transaction, so it stays when a reorganisation moves that to another block.
  id uuid not null,
  at timestamptz not null,
  trader text collate "C" not null,
  subject text collate "C" not null,
  is_buy boolean not null,
  amount integer not null,
  price_wei numeric(78, 0) not null,
  protocol_fee_wei numeric(78, 0) not null,
  subject_fee_wei numeric(78, 0) not null,
  -- Shares in circulation, and in the trader's wallet, after it.
  supply integer not null,
  balance integer not null,
  primary key (transaction_hash, log_index)
);
create index trade_by_subject on trade (subject, at, position);
create index trade_by_trader on trade (trader, position);
create index trade_by_pair on trade (trader, subject, position);

create table share_transfer (
  transaction_hash bytea not null,
  log_index integer not null,
  position bigint not null unique,
  id uuid not null,
  at timestamptz not null,
  sender text collate "C" not null,
  receiver text collate "C" not null,
  subject text collate "C" not null,
  amount integer not null,
  sender_balance integer not null,
  receiver_balance integer not null,
  primary key (transaction_hash, log_index)
);
create index share_transfer_by_subject on share_transfer (subject, at, position);
create index share_transfer_by_sender on share_transfer (sender, position);
create index share_transfer_by_receiver on share_transfer (receiver, position);

create table share_launch (
  subject text collate "C" primary key,
  transaction_hash bytea not null,
  log_index integer not null,
  position bigint not null unique,
  at timestamptz not null,
  owner text collate "C" not null,
  name text not null
);

-- Wallets that have traded.
create table trader (
  address text collate "C" primary key,
  volume_wei numeric(78, 0) not null,
  trades_count integer not null,
  -- Agents whose shares it has bought at some time.
  subjects_count integer not null,
  latest_trade_at timestamptz not null
);
create index trader_by_volume on trader (volume_wei, address);

-- Whether the wallet has bought shares of the agent at some time, rather than only received some.
alter table share_holding add column ever_bought boolean not null default false;
-- Addresses come in lower case from the chain; checking it is a large part of what a write costs.
alter table share_holding drop constraint share_holding_subject_check;
alter table share_holding drop constraint share_holding_holder_check;

-- Totals of all trades. One row.
create table trade_total (
  id boolean primary key default true check (id),
  trades_count bigint not null,
  volume_wei numeric(78, 0) not null
);
insert into trade_total (trades_count, volume_wei) values (0, 0);

alter table agent add column trades_count integer not null default 0;

-- What has to be valued anew: a wallet, or all wallets that hold a subject whose price has moved.
create table stale_value (
  address text primary key,
  is_subject boolean not null
);

-- Native currency in the wallets of agents, as the chain last said.
create table wallet_balance (
  address text primary key,
  balance_wei numeric(78, 0) not null default 0,
  read_at timestamptz
);
create index wallet_balance_largest on wallet_balance (balance_wei, address);
create index wallet_balance_oldest on wallet_balance (read_at nulls first);
