import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { isPrivate, isPublic } from '../../foundation/db/visibility.js'

// What is taken down shows nothing any more, and shows it again when it is restored.
const isUp = sql`not exists (select from tweet where tweet.id = source_id and ${isPrivate(sql`tweet`)})
  and not exists (select from skill where skill.id = source_id and skill.withheld is not null)`

const isShown = (name: Sql) => sql`(
  exists (select from public_media where public_media.file_name = ${name} and ${isUp})
  or exists (select from agent where avatar_url is not null and substring(avatar_url from '[^/]*$') = ${name}))`

/** Whether everybody may read a file: a public tweet, a public skill or an avatar shows it, or it is the thumbnail of such a file. */
export const isPublicFile = (name: Sql) => sql`(${isShown(name)}
  or exists (select from file shown where shown.thumbnail_name = ${name} and ${isShown(sql`shown.name`)}))`

/** For use in a `with`: makes the files of new public tweets public. `posted` has the tweets' ids and their files. */
export const publicMediaInsert = sql`
  shown_files as (
    insert into public_media (file_name, source_id)
    select distinct file_name, posted.id from posted, unnest(posted.public_files) file_name
    on conflict do nothing)`

export async function removePublicMedia(db: Db, sourceId: string): Promise<void> {
  await db.run(sql`delete from public_media where source_id = ${sourceId}`)
}

/** Makes those of its creator's files public that a public skill shows, and no others. Call after each change of the skill. */
export async function showFilesOfSkill(db: Db, skillId: string): Promise<void> {
  await removePublicMedia(db, skillId)
  await db.run(sql`
    insert into public_media (file_name, source_id)
    select distinct upload.file_name, skill.id
    from skill join skill_version on skill_id = skill.id,
      regexp_matches(skill_version.content, '/media/([0-9a-f]{64}\\.[a-z0-9]+)', 'g') found
      join upload on upload.file_name = found[1]
    where skill.id = ${skillId} and ${isPublic(sql`skill`)} and upload.agent_id = skill.agent_id
      and skill_version.content like '%/media/%'`)
}
