-- A session that continues another belongs to its family. A refresh token that is used twice, or a logout with an old one,
-- ends the whole family, whichever of its sessions is open. Null in the first session of a family.
alter table owner_session add column family_id uuid;
create index owner_session_family on owner_session ((coalesce(family_id, id))) where ended_at is null;
