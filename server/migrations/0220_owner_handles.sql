-- For the account that last logged in with a handle.
create index owner_by_handle on owner (lower(x_handle), last_login_at);
