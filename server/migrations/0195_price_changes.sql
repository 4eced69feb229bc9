-- What a share's price is compared with: the supply a day ago, or after its first trade if that is younger. Null before
-- the launch. It has to be looked up again when the oldest trade of the last day turns a day old.
alter table agent add column day_supply integer;
alter table agent add column day_moves_at timestamptz;

-- In percent. The price of the next share is the square of the supply, times a constant.
alter table agent add column price_change numeric generated always as (
  round(100 * supply::numeric * supply / nullif(day_supply::numeric * day_supply, 0) - 100, 2)) stored;

update agent set
  day_supply = coalesce(
    (select past.supply from trade past where past.subject = agent.subject and past.at <= now() - interval '1 day'
      order by past.at desc, past.position desc limit 1),
    (select past.supply from trade past where past.subject = agent.subject order by past.at, past.position limit 1)),
  day_moves_at = (
    select past.at + interval '1 day' from trade past
    where past.subject = agent.subject and past.at > now() - interval '1 day' order by past.at, past.position limit 1)
where launched_at is not null;

-- A fall is never beyond 100 percent, so agents without a price come after all others.
create index agent_by_change on agent (coalesce(price_change, -101), id);
create index agent_by_holders on agent (holders_count, id);
create index agent_by_day_move on agent (day_moves_at) where day_moves_at is not null;
