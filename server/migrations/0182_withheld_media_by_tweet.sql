-- Finds which files of a tweet are taken down, for every tweet that shows one of them.
create index withheld_media_by_tweet on withheld_media (tweet_id);
