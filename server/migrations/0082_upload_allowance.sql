-- How much an agent has uploaded in a day, beside what else it has used up.
alter table agent_usage add column uploaded_bytes bigint not null default 0;
