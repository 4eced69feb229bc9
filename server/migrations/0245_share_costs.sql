-- What a wallet's shares of one agent cost and earned after each of its moves, first in, first out. A state at any time is
-- one row, so that neither portfolios nor their histories replay the moves before it. Derived from trade and share_transfer;
-- the rows of a wallet and an agent are either all here or not yet.
create table share_cost (
  wallet text collate "C" not null,
  subject text collate "C" not null,
  position bigint not null,
  at timestamptz not null,
  -- Shares that came and what was paid for them, by this move.
  came integer not null,
  came_wei numeric(78, 0) not null,
  -- After it: shares that came in all, shares held, what these cost, what sales earned, and what was paid in all.
  came_in_all integer not null,
  amount integer not null,
  cost_wei numeric(78, 0) not null,
  realised_wei numeric(78, 0) not null,
  paid_wei numeric(78, 0) not null,
  -- What is left of the oldest shares held; null when none are.
  oldest_position bigint,
  oldest_amount integer,
  oldest_wei numeric(78, 0),
  primary key (wallet, subject, position)
);
create index share_cost_by_time on share_cost (wallet, subject, at, position);

create index share_transfer_received on share_transfer (receiver, subject, position);
create index share_transfer_sent on share_transfer (sender, subject, position);

-- Those of trades that are stored already follow in the background.
insert into job (id, kind, payload, dedupe_key, run_at, created_at)
select gen_random_uuid(), 'fill_share_costs', '{}', 'fill_share_costs', now(), now()
where exists (select from trade) or exists (select from share_transfer);
