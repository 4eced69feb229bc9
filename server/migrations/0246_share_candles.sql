-- What happened to an agent's shares in each minute, hour and day with a trade or a transfer. Charts and the history of
-- holders read these instead of all trades. Derived from trade and share_transfer.
create table share_candle (
  subject text collate "C" not null,
  minutes integer not null,
  start_at timestamptz not null,
  -- The supply, which decides the price: before, highest, lowest and after.
  open integer not null,
  high integer not null,
  low integer not null,
  close integer not null,
  volume_wei numeric(78, 0) not null,
  -- 0 when there were only transfers.
  trades integer not null,
  -- After it.
  holders integer not null,
  last_at timestamptz not null,
  primary key (subject, minutes, start_at)
);

insert into share_candle
select subject, 1, start_at, (array_agg(supply - moved order by position))[1], greatest(max(supply), max(supply - moved)),
  least(min(supply), min(supply - moved)), (array_agg(supply order by position desc))[1], sum(volume_wei), sum(trades),
  (array_agg(holders order by position desc))[1], max(at)
from (
  select subject, date_bin('1 minute', at, timestamptz '2001-01-01 00:00:00+00') as start_at, at, position, moved, volume_wei, trades,
    sum(moved) over earlier as supply, sum(opened) over earlier as holders
  from (
    select subject, position, at, moved, price_wei as volume_wei, 1 as trades,
      (balance > 0)::int - (balance - moved > 0)::int as opened
    from (select *, case when is_buy then amount else -amount end as moved from trade) trade
    union all
    select subject, position, at, 0, 0, 0, (sender_balance > 0)::int - (receiver_balance > amount)::int from share_transfer
  ) change
  window earlier as (partition by subject order by position)
) state
group by subject, start_at;

insert into share_candle
select subject, 60, date_bin('1 hour', start_at, timestamptz '2001-01-01 00:00:00+00'), (array_agg(open order by start_at))[1], max(high),
  min(low), (array_agg(close order by start_at desc))[1], sum(volume_wei), sum(trades),
  (array_agg(holders order by start_at desc))[1], max(last_at)
from share_candle where minutes = 1 group by 1, 3;

insert into share_candle
select subject, 1440, date_bin('1 day', start_at, timestamptz '2001-01-01 00:00:00+00'), (array_agg(open order by start_at))[1], max(high),
  min(low), (array_agg(close order by start_at desc))[1], sum(volume_wei), sum(trades),
  (array_agg(holders order by start_at desc))[1], max(last_at)
from share_candle where minutes = 60 group by 1, 3;
