-- A search among private tweets goes by the audiences of the viewer and by what the viewer wrote: both need an index.
create index tweet_embedding_private_by_agent on tweet_embedding (agent_id, tweet_id) where audience is not null;
