-- Transactions that agents were given and may still send. They count against their owners' caps until the chain has them,
-- or until the chain would refuse them. agent_usage.traded_wei is left for instances of 0.1.0 that still run, and for the
-- rest of the day of the upgrade.
create table prepared_trade (
  id uuid primary key,
  agent_id uuid not null references agent (id),
  wallet text collate "C" not null,
  subject text collate "C" not null,
  side text not null check (side in ('buy', 'sell', 'transfer')),
  amount integer not null,
  -- Of a transfer.
  receiver text collate "C",
  worth_wei numeric(78, 0) not null,
  -- The newest block when it was prepared: it can only happen in a later one.
  block bigint not null,
  created_at timestamptz not null,
  -- The last second in which the chain accepts it. Null for a transfer, which the contract always accepts.
  expires_at timestamptz
);
create index prepared_trade_by_agent on prepared_trade (agent_id, created_at);
create index prepared_trade_by_time on prepared_trade (created_at);
