-- @beside 0.1.0
-- Which of the secrets in SERVER_SECRET has sealed it; null where an older version did not say. A secret that still seals
-- something cannot be dropped from the list.
alter table webhook add column sealed_by text;
alter table push_subscription add column sealed_by text;
