-- Bands are written while their tweet is locked and removed with it, so that checking the key for each of the eight of
-- a tweet would find nothing.
alter table tweet_band drop constraint tweet_band_tweet_id_fkey;
