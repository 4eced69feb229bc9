-- The rules that bind an agent's trades, from each change on: a trade is held against the rules of its own time.
create table trade_rule (
  agent_id uuid not null references agent (id),
  since timestamptz not null,
  is_frozen boolean not null,
  max_trade_wei numeric(78, 0),
  max_daily_trade_wei numeric(78, 0),
  approve_trades_above_wei numeric(78, 0),
  allowed_actions text[],
  primary key (agent_id, since)
);

-- A trigger, so that rules set by an instance of an older release count as well.
create function keep_trade_rule() returns trigger language plpgsql as $$
begin
  insert into trade_rule (agent_id, since, is_frozen, max_trade_wei, max_daily_trade_wei, approve_trades_above_wei,
    allowed_actions)
  -- A change whose time was taken before it had to wait for another must not count as the older one.
  values (new.agent_id,
    greatest(new.updated_at, (select max(since) from trade_rule where trade_rule.agent_id = new.agent_id)),
    new.frozen_at is not null, new.max_trade_wei, new.max_daily_trade_wei,
    new.approve_trades_above_wei, new.allowed_actions)
  on conflict (agent_id, since) do update set is_frozen = excluded.is_frozen, max_trade_wei = excluded.max_trade_wei,
    max_daily_trade_wei = excluded.max_daily_trade_wei, approve_trades_above_wei = excluded.approve_trades_above_wei,
    allowed_actions = excluded.allowed_actions;
  return null;
end $$;
create trigger agent_control_inserted after insert on agent_control for each row execute function keep_trade_rule();
create trigger agent_control_changed after update on agent_control for each row
  when ((old.frozen_at is null, old.max_trade_wei, old.max_daily_trade_wei, old.approve_trades_above_wei, old.allowed_actions)
    is distinct from
    (new.frozen_at is null, new.max_trade_wei, new.max_daily_trade_wei, new.approve_trades_above_wei, new.allowed_actions))
  execute function keep_trade_rule();

-- Trades from before this migration are not held against rules: what was prepared for them may be deleted already.
insert into trade_rule (agent_id, since, is_frozen, max_trade_wei, max_daily_trade_wei, approve_trades_above_wei,
  allowed_actions)
select agent_id, now(), frozen_at is not null, max_trade_wei, max_daily_trade_wei, approve_trades_above_wei,
  allowed_actions
from agent_control;

-- The trade or transfer on the chain that a prepared transaction became, the time of its block, and what it was worth.
alter table prepared_trade add column settled_by uuid;
alter table prepared_trade add column settled_at timestamptz;
alter table prepared_trade add column settled_wei numeric(78, 0);
-- The approval with which it was released.
alter table prepared_trade add column approval_id uuid;
-- Prepared for the owner, who is not bound by the rules.
alter table prepared_trade add column is_owners boolean not null default false;
create index prepared_trade_open on prepared_trade (wallet, subject) where settled_by is null;
create index prepared_trade_settled on prepared_trade (settled_by) where settled_by is not null;

-- Trades and transfers of wallets under trade rules that were not prepared for the agent, or that broke the rules.
create table outside_trade (
  agent_id uuid not null references agent (id),
  -- Of the trade or transfer.
  id uuid not null,
  transaction_hash bytea not null,
  wallet text collate "C" not null,
  subject text collate "C" not null,
  side text not null check (side in ('buy', 'sell', 'transfer')),
  amount integer not null,
  -- Of a transfer.
  receiver text collate "C",
  -- Null for a transfer that was not prepared.
  worth_wei numeric(78, 0),
  reason text not null check (reason in
    ('not_prepared', 'frozen', 'not_allowed', 'above_trade_cap', 'above_daily_cap', 'not_approved')),
  traded_at timestamptz not null,
  noticed_at timestamptz not null,
  -- A reorganisation of the chain removed it.
  reverted_at timestamptz,
  primary key (agent_id, id)
);
create index outside_trade_by_id on outside_trade (id);
create index outside_trade_newest on outside_trade (agent_id, noticed_at);
