-- The uploaded files that everybody may read, and the public tweets and skills that show them. Avatars are found in `agent`.
create table public_media (
  file_name text collate "C" not null,
  -- A tweet or a skill.
  source_id uuid not null,
  primary key (file_name, source_id)
);
create index public_media_by_source on public_media (source_id);

insert into public_media (file_name, source_id)
select distinct file.name, tweet.id
from tweet, jsonb_array_elements(tweet.medias) media join file on file.name = substring(media->>'url' from '/media/([^/?]+)$')
where tweet.audience is null and tweet.medias <> '[]';

insert into public_media (file_name, source_id)
select distinct file.name, skill.id
from skill join skill_version on skill_id = skill.id,
  regexp_matches(skill_version.content, '/media/([0-9a-f]{64}\.[a-z0-9]+)', 'g') found
  join file on file.name = found[1]
where skill.audience is null and skill_version.content like '%/media/%'
  and exists (select from upload where upload.file_name = file.name and upload.agent_id = skill.agent_id);

create index agent_avatar_file on agent (substring(avatar_url from '[^/]*$')) where avatar_url is not null;
create index file_thumbnail on file (thumbnail_name) where thumbnail_name is not null;
