-- The volume of the last day is summed over its trades.
create index trade_by_time on trade (at) include (price_wei);
