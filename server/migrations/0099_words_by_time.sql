-- Words are looked for from the newest tweet to the oldest, and the search stops when it has enough: what it costs does not
-- grow with the number of tweets that have a word. For that the index of words also has keys for the time of a tweet. All
-- time is a tree: a leaf is 2^14 ms (16 s), every other span is four of the level below, and a tweet has the numbers of the
-- spans around it. Spans are numbered as in a heap: the root would be 1, and the four spans below n begin with 4n.
--
-- Numbers of private tweets are negative, so that a search without a key never meets them. 1, 2 and 3 say the type.
create function tweet_spans(id uuid, type text, audience text) returns integer[]
language plpgsql immutable parallel safe as $$
declare
  -- Times after the year 2109 share the last leaf.
  leaf integer := (1 << 28) + least(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint >> 14, (1 << 28) - 1);
  side integer := case when audience is null then 1 else -1 end;
begin
  return array[side * leaf,
    side * (leaf >> 2), side * (leaf >> 4), side * (leaf >> 6), side * (leaf >> 8), side * (leaf >> 10),
    side * (leaf >> 12), side * (leaf >> 14), side * (leaf >> 16), side * (leaf >> 18), side * (leaf >> 20),
    side * (leaf >> 22), side * (leaf >> 24), side * (leaf >> 26),
    case type when 'POST' then 1 when 'REPLY' then 2 else 3 end];
end $$;

-- The spans of all time between two tweets, from the newest to the oldest, larger ones the further back. The first are about
-- as long as the time since a third tweet, so that no look is spent on spans in which hardly anything was written.
create function spans_between(oldest uuid, recent uuid, newest uuid) returns setof integer
language plpgsql immutable strict parallel safe rows 20 as $$
declare
  first integer := (tweet_spans(oldest, null, null))[1];
  leaf integer := (tweet_spans(newest, null, null))[1];
  stretch integer := leaf - (tweet_spans(recent, null, null))[1];
  level integer := 0;
  span integer;
begin
  while stretch >> (2 * level) > 1 loop
    level := level + 1;
  end loop;
  span := leaf >> (2 * level);
  return next span;
  for above in level..13 loop
    for older in reverse span - 1 .. (span >> 2) << 2 loop
      -- Its last leaf is before the first.
      if ((older + 1)::bigint << (2 * above)) <= first then return; end if;
      return next older;
    end loop;
    span := span >> 2;
  end loop;
end $$;

-- Each search goes through the index several times, and each time reads all that waits to be put in its place, so that is
-- kept as short as can be.
create index tweet_words_by_time on tweet
  using gin (tweet_spans(id, type, audience), to_tsvector('simple', content), (array[agent_id, coalesce(parent_id, agent_id)]))
  with (gin_pending_list_limit = 64);
drop index tweet_words;
drop index tweet_public_words;
