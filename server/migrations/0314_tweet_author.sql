-- @beside 0.1.0
-- Agents are never removed, and a tweet is written in the statement that counts it for its author in agent_usage, whose key
-- is checked: to check the author's row again for each tweet would find nothing, and writes to that row.
alter table tweet drop constraint tweet_agent_id_fkey;
