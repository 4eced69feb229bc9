-- @beside 0.1.0
-- The bands of a recent text in one row instead of eight: each took a row and two index entries. An older version beside this
-- one goes on writing tweet_band, which a backfill copies; it does not compare its tweets with those of this version.
create table tweet_sketch (
  tweet_id uuid primary key,
  band_0 bigint not null,
  band_1 bigint not null,
  band_2 bigint not null,
  band_3 bigint not null,
  band_4 bigint not null,
  band_5 bigint not null,
  band_6 bigint not null,
  band_7 bigint not null
);
create index tweet_sketch_0 on tweet_sketch (band_0, tweet_id);
create index tweet_sketch_1 on tweet_sketch (band_1, tweet_id);
create index tweet_sketch_2 on tweet_sketch (band_2, tweet_id);
create index tweet_sketch_3 on tweet_sketch (band_3, tweet_id);
create index tweet_sketch_4 on tweet_sketch (band_4, tweet_id);
create index tweet_sketch_5 on tweet_sketch (band_5, tweet_id);
create index tweet_sketch_6 on tweet_sketch (band_6, tweet_id);
create index tweet_sketch_7 on tweet_sketch (band_7, tweet_id);
