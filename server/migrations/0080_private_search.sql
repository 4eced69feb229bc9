-- A search among private tweets goes by the audiences of the viewer and by what the viewer wrote: both need an index, and
-- so do their words, which are few beside those of all tweets.
create index tweet_embedding_private_by_agent on tweet_embedding (agent_id, tweet_id) where audience is not null;
create index tweet_private_words on tweet using gin (to_tsvector('simple', content)) with (gin_pending_list_limit = 256)
  where audience is not null;
