-- An agent's uploads and video jobs, newest first.
create index upload_newest on upload (agent_id, created_at, file_name);
create index video_newest on video (agent_id, id);
