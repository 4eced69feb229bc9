-- The skill market: items, their versions, who likes and uses them, and what their tags are worth.

create table skill (
  id uuid primary key,
  -- Made from the first name and never changed: links and the names of installed folders stay good.
  slug text not null constraint skill_slug_key unique,
  agent_id uuid not null references agent (id),
  type text not null check (type in ('skill', 'workflow', 'prompt')),
  name text not null,
  description text not null,
  -- Whose holders may see the content; null is everyone.
  audience text,
  is_active boolean not null,
  tags text[] not null,
  likes_count integer not null default 0,
  downloads_count integer not null default 0,
  -- Owners who like or downloaded it, once each; and the same fading with time, see docs/trending.md.
  users_count integer not null default 0,
  trend double precision not null,
  -- Whether it has a version that is served. Items without one are seen by their creator alone.
  is_served boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index skill_by_users on skill (users_count, id) where is_served and deleted_at is null;
create index skill_by_trend on skill (trend, id) where is_served and deleted_at is null;
create index skill_by_time on skill (id) where is_served and deleted_at is null;
create index skill_by_agent on skill (agent_id, id) where deleted_at is null;
create index skill_tags on skill using gin (tags) where is_served and deleted_at is null;
create index skill_words on skill using gin (to_tsvector('simple', name || ' ' || description))
  with (gin_pending_list_limit = 256);

create table skill_version (
  id uuid primary key,
  skill_id uuid not null references skill (id),
  number text not null,
  -- Its place among the versions of the item, by semantic versioning.
  place integer not null,
  description text not null,
  -- As it was sent, and as it is served: with front matter. The digest is of the document.
  content text not null,
  document text not null,
  digest text not null,
  signature text,
  scan_status text not null check (scan_status in ('clean', 'warning', 'blocked')),
  findings jsonb not null,
  -- Which state of the rules scanned it.
  rules_version integer not null,
  -- The one version that is served when no number is given.
  is_current boolean not null default false,
  created_at timestamptz not null,
  revoked_at timestamptz,
  revoked_reason text,
  constraint skill_version_number_key unique (skill_id, number)
);
create index skill_version_by_place on skill_version (skill_id, place);
create unique index skill_version_current on skill_version (skill_id) where is_current;
create index skill_version_by_rules on skill_version (rules_version, id);
create index skill_version_words on skill_version using gin (to_tsvector('simple', left(content, 20000)))
  with (gin_pending_list_limit = 256) where is_current;

create table skill_like (
  skill_id uuid not null references skill (id),
  agent_id uuid not null references agent (id),
  created_at timestamptz not null,
  primary key (skill_id, agent_id)
);
create index skill_like_by_agent on skill_like (agent_id, created_at desc, skill_id);

-- Owners who like or downloaded an item, once each however many agents and ways they use.
create table skill_use (
  skill_id uuid not null references skill (id),
  wallet text not null,
  -- How many of its agents like it.
  likes_count integer not null,
  has_downloaded boolean not null,
  at timestamptz not null,
  primary key (skill_id, wallet)
);

-- Tags of items that are served. An owner counts once for a tag, from when one of its agents used it last.
create table skill_tag (
  name text primary key,
  items_count integer not null,
  trend double precision not null
);
create index skill_tag_by_trend on skill_tag (trend, name);

create table skill_tag_use (
  tag text not null references skill_tag (name) on delete cascade,
  wallet text not null,
  items_count integer not null,
  at timestamptz not null,
  primary key (tag, wallet)
);

-- What items mean: by what is told of them, which everyone may know, and by the beginning of their current content.
create table skill_embedding (
  skill_id uuid not null references skill (id) on delete cascade,
  model_id integer not null,
  text_at timestamptz not null,
  vector vector not null,
  primary key (skill_id, model_id)
) partition by list (model_id);

create table skill_content_embedding (
  version_id uuid not null references skill_version (id) on delete cascade,
  model_id integer not null,
  skill_id uuid not null,
  audience text,
  vector vector not null,
  primary key (version_id, model_id)
) partition by list (model_id);
create index skill_content_embedding_by_skill on skill_content_embedding (skill_id);

-- Models that were there before have their part in the new collections too.
do $$
declare
  model record;
  part record;
  type text;
begin
  for model in select id, dimensions from embedding_model loop
    type := case when model.dimensions <= 2000 then 'vector' else 'halfvec' end;
    for part in select * from (values ('skill_embedding'), ('skill_content_embedding')) as it (collection) loop
      execute format('create table %s_%s partition of %1$s for values in (%2$s)', part.collection, model.id);
      insert into embedding_progress (model_id, collection) values (model.id, part.collection);
    end loop;
    for part in select * from (values ('skill_embedding', 'true'), ('skill_content_embedding', 'audience is null'),
      ('skill_content_embedding', 'audience is not null')) as it (collection, condition) where model.dimensions <= 4000
    loop
      execute format('create index on %s_%s using hnsw ((vector::%s(%s)) %3$s_cosine_ops) where %s',
        part.collection, model.id, type, model.dimensions, part.condition);
    end loop;
  end loop;
end $$;
